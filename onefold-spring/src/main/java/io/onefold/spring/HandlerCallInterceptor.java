package io.onefold.spring;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * The outermost advice of HTTP handlers. It sees a call before all other advice, and sees its end. A call that ends with an exception, and
 * has not reached its method, was rejected: the filter then frees the key. In all other cases a call that this advice has seen counts as
 * begun, so that a lost mark never frees a key.
 */
final class HandlerCallInterceptor implements MethodInterceptor {
    private final IdempotentMethodRegistry methods;

    private HandlerCallInterceptor(IdempotentMethodRegistry methods) {
        this.methods = methods;
    }

    static Advisor advisor(IdempotentMethodRegistry methods) {
        return new DefaultPointcutAdvisor(
                new StaticMethodMatcherPointcut() {
                    @Override
                    public boolean matches(Method method, Class<?> type) {
                        Method specific = AopUtils.getMostSpecificMethod(method, type);
                        return IdempotentMetadata.isOn(specific)
                                && InvocationSource.of(specific, type) == InvocationSource.HTTP;
                    }
                },
                new HandlerCallInterceptor(methods));
    }

    /** Returns true if this advice sees each call of the bean: no other advice stands before it. */
    static boolean isOutermostOf(Object bean) {
        if (bean instanceof ScopedObject) {
            return true; // this advice only finds the bean that is called
        }
        Advisor[] advisors = bean instanceof Advised advised ? advised.getAdvisors() : new Advisor[0];
        return advisors.length > 0 && advisors[0].getAdvice() instanceof HandlerCallInterceptor;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        IdempotentMethod method = methods.of(
                invocation.getMethod(), IdempotentMethodRegistry.target(Objects.requireNonNull(invocation.getThis())));
        if (method == null) {
            return invocation.proceed();
        }
        if (method.isReactive()) {
            return ReactiveMethods.returned(method, methods.wiring(), invocation.proceed());
        }
        new HandlerRun(method).follow(invocation);
        RequestResolver.HandlerRequest request = request(method, methods.wiring(), null);
        if (request == null) {
            return invocation.proceed();
        }
        request.begun();
        MethodEntryTracker whole = new MethodEntryTracker();
        try {
            return ending(
                    whole.surround(invocation),
                    whole,
                    request,
                    invocation.getMethod().getReturnType());
        } catch (MethodEntryTracker.NotEnteredException e) {
            request.refused();
            throw Objects.requireNonNull(e.getCause());
        }
    }

    /** Follows the result of a call that ends later, and that may be rejected until then. */
    private static @Nullable Object ending(
            @Nullable Object returned,
            MethodEntryTracker whole,
            RequestResolver.HandlerRequest request,
            Class<?> type) {
        if (!(returned instanceof CompletionStage<?> stage)) {
            return returned;
        }
        CompletionStage<?> seen = stage.whenComplete((value, thrown) -> {
            if (thrown != null && whole.close()) {
                request.refused();
            }
        });
        Object told = stage instanceof CompletableFuture<?> ? seen.toCompletableFuture() : seen;
        return type.isInstance(told) ? told : returned;
    }

    /** The request, if the filter has claimed or observes it for this very method; null otherwise. */
    static RequestResolver.@Nullable HandlerRequest request(
            IdempotentMethod method, IdempotentContext wiring, @Nullable Object context) {
        RequestResolver.HandlerRequest request = wiring.requests().current(context);
        return IdempotentInterceptor.claimed(method, request) != null
                        || IdempotentInterceptor.isObserved(method, request)
                ? request
                : null;
    }
}
