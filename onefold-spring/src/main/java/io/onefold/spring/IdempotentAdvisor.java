package io.onefold.spring;

import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.Ordered;

/** Brings the interceptor to annotated methods, just outside of transactions. */
final class IdempotentAdvisor extends AbstractPointcutAdvisor {
    private static final long serialVersionUID = 1;

    /**
     * The order inside of advice that decides whether a call may be made, and outside of {@code @Transactional}, whose order is the last.
     */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1;

    static final Pointcut POINTCUT = new StaticMethodMatcherPointcut() {
        @Override
        public boolean matches(Method method, Class<?> type) {
            return IdempotentMethodRegistry.isAnnotated(method, type);
        }
    };

    private final transient Advice advice;

    IdempotentAdvisor(IdempotentInterceptor advice) {
        this.advice = advice;
        setOrder(ORDER);
    }

    @Override
    public Pointcut getPointcut() {
        return POINTCUT;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }
}
