package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.Key;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Methods that return a Mono or a Flux: each subscription is a call. What it begins goes on to its end, and is recorded, whether or not
 * the subscriber stays; a Flux is kept, and told, as a whole.
 */
final class Reactive {
    private Reactive() {}

    static Publisher<?> called(IdempotentMethod method, Wiring wiring, MethodInvocation invocation) {
        if (method.returned().carrier() == Returned.Carrier.FLUX) {
            return Flux.deferContextual(context -> subscribed(method, wiring, invocation, context));
        }
        return Mono.deferContextual(context -> Mono.from(subscribed(method, wiring, invocation, context)));
    }

    private static Publisher<?> subscribed(
            IdempotentMethod method, Wiring wiring, MethodInvocation invocation, ContextView context) {
        Requests.Request request = IdempotentInterceptor.request(method, wiring, context);
        Attempt claimed = IdempotentInterceptor.claimed(method, request);
        if (claimed != null) {
            return carrying(proceed(invocation, claimed), claimed);
        }
        Call call = new Call(method, invocation.getArguments(), request);
        Key key = IdempotentInterceptor.key(wiring, call);
        if (key == null || IdempotentInterceptor.nested(wiring, method, key, current(context))) {
            return proceed(invocation, current(context));
        }
        if (method.isShadow()) {
            wiring.shadow().observe(method, key);
            return proceed(invocation, current(context));
        }
        Told told = new Told(method, call, key);
        Mono<Object> answer = Mono.fromFuture(
                IdempotentInterceptor.later(method, wiring, key, told, () -> begun(invocation, context)), true);
        return method.returned().carrier() == Returned.Carrier.FLUX
                ? answer.flatMapIterable(kept -> (List<?>) kept)
                : answer;
    }

    private static CompletableFuture<?> begun(MethodInvocation invocation, ContextView context) {
        Attempt attempt = Objects.requireNonNull(CurrentAttempt.get());
        Publisher<?> work = proceed(invocation, attempt);
        Mono<?> whole = work instanceof Flux<?> many ? many.collectList() : Mono.from(work);
        return whole.contextWrite(within -> within.putAll(context).put(CurrentAttempt.CONTEXT, attempt))
                .toFuture();
    }

    /** What is subscribed to in it, on whatever thread, finds the attempt in its context. */
    private static Publisher<?> carrying(Publisher<?> work, Attempt attempt) {
        return work instanceof Flux<?> many
                ? many.contextWrite(within -> within.put(CurrentAttempt.CONTEXT, attempt))
                : Mono.from(work).contextWrite(within -> within.put(CurrentAttempt.CONTEXT, attempt));
    }

    /** That of the context, which goes wherever the work goes, else that of the thread. */
    private static @Nullable Attempt current(ContextView context) {
        return context.<@Nullable Attempt>getOrDefault(CurrentAttempt.CONTEXT, CurrentAttempt.get());
    }

    private static Publisher<?> proceed(MethodInvocation invocation, @Nullable Attempt attempt) {
        // each subscription goes down the chain again
        MethodInvocation again =
                invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
        try {
            return (Publisher<?>) required(CurrentAttempt.with(attempt, () -> IdempotentInterceptor.proceed(again)));
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }

    private static Object required(@Nullable Object returned) {
        if (returned == null) {
            throw new IllegalStateException("a Mono or a Flux is needed, not null");
        }
        return returned;
    }
}
