package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.Key;
import java.util.List;
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
            return proceed(invocation);
        }
        Call call = new Call(method, invocation.getArguments(), request);
        Key key = IdempotentInterceptor.key(wiring, call);
        if (key == null || IdempotentInterceptor.nested(wiring, method, key)) {
            return proceed(invocation);
        }
        if (method.isShadow()) {
            wiring.shadow().observe(method, key);
            return proceed(invocation);
        }
        Told told = new Told(method, call, key);
        Mono<Object> answer = Mono.fromFuture(
                IdempotentInterceptor.later(method, wiring, key, told, () -> begun(proceed(invocation), context)),
                true);
        return method.returned().carrier() == Returned.Carrier.FLUX
                ? answer.flatMapIterable(kept -> (List<?>) kept)
                : answer;
    }

    private static CompletableFuture<?> begun(Publisher<?> work, ContextView context) {
        Mono<?> whole = work instanceof Flux<?> many ? many.collectList() : Mono.from(work);
        return whole.contextWrite(context).toFuture();
    }

    private static Publisher<?> proceed(MethodInvocation invocation) {
        // each subscription goes down the chain again
        MethodInvocation again =
                invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
        try {
            return (Publisher<?>) required(again.proceed());
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
