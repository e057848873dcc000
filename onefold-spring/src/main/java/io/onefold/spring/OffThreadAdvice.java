package io.onefold.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.aspectj.AspectJPrecedenceInformation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Finds advice around Onefold's that is known to run calls on other threads, on which a handler does not find its request. */
final class OffThreadAdvice {
    /** Resilience4j's aspect and its annotation, by their names: the library need not be there. */
    private static final String BULKHEAD_ASPECT = "bulkheadAspect";

    private static final String BULKHEAD = "io.github.resilience4j.bulkhead.annotation.Bulkhead";

    private static final String LIMITER_ASPECT = "timeLimiterAspect";
    private static final String LIMITER = "io.github.resilience4j.timelimiter.annotation.TimeLimiter";

    private OffThreadAdvice() {}

    /** Returns the user's name for the advice that moves calls of the method to another thread; null if none is known. */
    static @Nullable String around(Object bean, Method method, Class<?> type) {
        for (Advisor advisor : bean instanceof Advised advised ? advised.getAdvisors() : new Advisor[0]) {
            if (advisor instanceof IdempotentAdvisor) {
                return null; // advice inside of Onefold's may move calls: the request was found already
            }
            if (advisor.getAdvice() instanceof AsyncExecutionInterceptor && applies(advisor, method, type)) {
                return "@Async";
            }
            if (advisor instanceof AspectJPrecedenceInformation aspect
                    && BULKHEAD_ASPECT.equals(aspect.getAspectName())
                    && (hasThreads(MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY))
                            || hasThreads(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY)))) {
                return "@Bulkhead(type = THREADPOOL)";
            }
        }
        return null;
    }

    /** Returns true if a time limit around the method may respond in its place while it is still running. */
    static boolean isLimited(Object bean, Method method, Class<?> type) {
        for (Advisor advisor : bean instanceof Advised advised ? advised.getAdvisors() : new Advisor[0]) {
            if (advisor instanceof AspectJPrecedenceInformation aspect
                    && LIMITER_ASPECT.equals(aspect.getAspectName())
                    && (MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                                    .isPresent(LIMITER)
                            || MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY)
                                    .isPresent(LIMITER))) {
                return true;
            }
        }
        return false;
    }

    private static boolean applies(Advisor advisor, Method method, Class<?> type) {
        if (!(advisor instanceof PointcutAdvisor pointed)) {
            return true;
        }
        Pointcut pointcut = pointed.getPointcut();
        return pointcut.getClassFilter().matches(type)
                && pointcut.getMethodMatcher().matches(method, type);
    }

    private static boolean hasThreads(MergedAnnotations annotations) {
        return annotations
                .get(BULKHEAD)
                .getValue("type")
                .map(kind -> kind.toString().equals("THREADPOOL"))
                .orElse(false);
    }
}
