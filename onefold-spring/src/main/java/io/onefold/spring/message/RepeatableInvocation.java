package io.onefold.spring.message;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * An invocation that passes the same advice each time it proceeds. Other invocations pass it only the first time, so a retry with them, as
 * Spring AMQP does from 4.0 on, skips the advice further in.
 */
record RepeatableInvocation(ProxyMethodInvocation invocation) implements ProxyMethodInvocation {
    /** Returns the advice with such an invocation, so that it may retry as often as it likes. */
    static Advice allowing(Advice advice) {
        return advice instanceof MethodInterceptor interceptor
                ? (MethodInterceptor) invocation -> interceptor.invoke(
                        invocation instanceof ProxyMethodInvocation proxied
                                ? new RepeatableInvocation(proxied)
                                : invocation)
                : advice;
    }

    @Override
    public @Nullable Object proceed() throws Throwable {
        return invocation.invocableClone().proceed();
    }

    @Override
    public MethodInvocation invocableClone() {
        return new RepeatableInvocation((ProxyMethodInvocation) invocation.invocableClone());
    }

    @Override
    public MethodInvocation invocableClone(@Nullable Object... arguments) {
        return new RepeatableInvocation((ProxyMethodInvocation) invocation.invocableClone(arguments));
    }

    @Override
    public Object getProxy() {
        return invocation.getProxy();
    }

    @Override
    public void setArguments(@Nullable Object... arguments) {
        invocation.setArguments(arguments);
    }

    @Override
    public void setUserAttribute(String key, @Nullable Object value) {
        invocation.setUserAttribute(key, value);
    }

    @Override
    public @Nullable Object getUserAttribute(String key) {
        return invocation.getUserAttribute(key);
    }

    @Override
    public Method getMethod() {
        return invocation.getMethod();
    }

    @Override
    public @Nullable Object[] getArguments() {
        return invocation.getArguments();
    }

    @Override
    public @Nullable Object getThis() {
        return invocation.getThis();
    }

    @Override
    public AccessibleObject getStaticPart() {
        return invocation.getStaticPart();
    }
}
