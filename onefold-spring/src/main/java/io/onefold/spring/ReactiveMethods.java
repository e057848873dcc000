package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.http.HandlerClaim;
import io.onefold.spring.CurrentAttempt.AttemptBinding;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Methods that return a Mono or a Flux: each subscription is a call. The work of a subscription runs to its end and is recorded, even if
 * the subscriber leaves. A Flux is kept and replayed as a whole.
 */
final class ReactiveMethods {
    private ReactiveMethods() {}

    static Publisher<?> called(IdempotentMethod method, IdempotentContext wiring, MethodInvocation invocation) {
        if (method.returned().carrier() == ReturnType.AsyncWrapper.FLUX) {
            return Flux.deferContextual(context -> subscribed(method, wiring, invocation, context));
        }
        return Mono.deferContextual(context -> Mono.from(subscribed(method, wiring, invocation, context)));
    }

    /**
     * Wraps the result of a handler and all advice around it. Each subscription is seen, as {@link HandlerCallInterceptor} sees a call.
     *
     * @param returned the result; it is returned unchanged if advice has returned another type
     */
    static @Nullable Object returned(IdempotentMethod method, IdempotentContext wiring, @Nullable Object returned) {
        if (returned instanceof Flux<?> many) {
            return seen(method, wiring, many);
        }
        return returned instanceof Mono<?> one ? seen(method, wiring, one) : returned;
    }

    private static <T> Flux<T> seen(IdempotentMethod method, IdempotentContext wiring, Flux<T> many) {
        return Flux.deferContextual(context -> {
            Flux<T> once = many.contextWrite(within -> within.put(HandlerRun.CONTEXT, new HandlerRun(method)));
            RequestResolver.HandlerRequest request = HandlerCallInterceptor.request(method, wiring, context);
            if (request == null) {
                return once;
            }
            MethodEntryTracker whole = begun(request);
            return once.doOnComplete(whole::enter) // otherwise advice has responded in place of the method
                    .doOnError(why -> refused(whole, request))
                    .contextWrite(within -> within.put(MethodEntryTracker.CONTEXT, whole));
        });
    }

    private static <T> Mono<T> seen(IdempotentMethod method, IdempotentContext wiring, Mono<T> one) {
        return Mono.deferContextual(context -> {
            Mono<T> once = one.contextWrite(within -> within.put(HandlerRun.CONTEXT, new HandlerRun(method)));
            RequestResolver.HandlerRequest request = HandlerCallInterceptor.request(method, wiring, context);
            if (request == null) {
                return once;
            }
            MethodEntryTracker whole = begun(request);
            return once.doOnSuccess(value -> whole.enter())
                    .doOnError(why -> refused(whole, request))
                    .contextWrite(within -> within.put(MethodEntryTracker.CONTEXT, whole));
        });
    }

    private static MethodEntryTracker begun(RequestResolver.HandlerRequest request) {
        request.begun();
        return new MethodEntryTracker();
    }

    private static void refused(MethodEntryTracker whole, RequestResolver.HandlerRequest request) {
        if (whole.close()) {
            request.refused();
        }
    }

    private static @Nullable MethodEntryTracker whole(ContextView context) {
        return context.<@Nullable MethodEntryTracker>getOrDefault(MethodEntryTracker.CONTEXT, null);
    }

    private static HandlerRun run(IdempotentMethod method, ContextView context) {
        HandlerRun whole = context.<@Nullable HandlerRun>getOrDefault(HandlerRun.CONTEXT, null);
        return whole == null ? new HandlerRun(method) : whole;
    }

    private static Publisher<?> subscribed(
            IdempotentMethod method, IdempotentContext wiring, MethodInvocation invocation, ContextView context) {
        RequestResolver.HandlerRequest request = IdempotentInterceptor.request(method, wiring, context);
        Attempt claimed = IdempotentInterceptor.claimed(method, request);
        AttemptBinding outer = current(context);
        if (request != null && claimed != null) {
            HandlerRun run = run(method, context);
            if (!run.begins()) {
                return Mono.error(run.why());
            }
            AttemptBinding held = new AttemptBinding(claimed, outer);
            wiring.traces().tell(claimed, observation(context));
            HandlerCalls.called(request);
            Runnable entered = IdempotentInterceptor.entered(whole(context), request);
            HandlerCalls.HandlerEnds ends = new HandlerCalls.HandlerEnds(run, request, false);
            return carrying(proceed(held, () -> MethodEntryTracker.ask(invocation, entered)), held, ends);
        }
        if (request != null && IdempotentInterceptor.isObserved(method, request)) {
            IdempotentInterceptor.entered(whole(context), request).run();
            return proceed(outer, () -> IdempotentInterceptor.again(invocation));
        }
        if (IdempotentInterceptor.isUnclaimed(method, request)) {
            return proceed(outer, () -> IdempotentInterceptor.again(invocation));
        }
        IdempotentInterceptor.checkFound(method, wiring, request);
        MethodCall call = new MethodCall(method, invocation.getArguments(), request);
        Key key = IdempotentInterceptor.key(wiring, call);
        if (key == null || IdempotentInterceptor.nested(wiring, method, key, outer)) {
            return proceed(outer, () -> IdempotentInterceptor.again(invocation));
        }
        InvocationResult told = new InvocationResult(method, call, key);
        if (method.isShadow()) {
            return observed(
                    ShadowCalls.begin(method, wiring, key, told),
                    proceed(outer, () -> IdempotentInterceptor.again(invocation)));
        }
        HandlerClaim claim = HandlerCalls.claim(method, wiring, key, request);
        if (claim != null && request != null) {
            TransactionDetector.refuse(method, context);
            return claiming(method, wiring, key, told, claim, request, invocation, context, outer);
        }
        method.keepable();
        TransactionDetector.refuse(method, context);
        Mono<Object> answer = Mono.fromFuture(
                IdempotentInterceptor.later(
                        call, wiring, key, told, observation(context), () -> begun(invocation, context, outer)),
                true);
        return method.returned().carrier() == ReturnType.AsyncWrapper.FLUX
                ? answer.flatMapIterable(kept -> (List<?>) kept)
                : answer;
    }

    /** Claims through the filter, and subscribes to the handler if it may run. */
    private static Publisher<?> claiming(
            IdempotentMethod method,
            IdempotentContext wiring,
            Key key,
            InvocationResult told,
            HandlerClaim claim,
            RequestResolver.HandlerRequest request,
            MethodInvocation invocation,
            ContextView context,
            @Nullable AttemptBinding outer) {
        boolean many = method.returned().carrier() == ReturnType.AsyncWrapper.FLUX;
        Mono<HandlerClaim.ClaimGrant> permission =
                Mono.fromFuture(claim.claimAsync(HandlerCalls.operation(method, claim), key), true);
        Function<HandlerClaim.ClaimGrant, Publisher<?>> permitted = may -> {
            if (!may.granted()) {
                Object earlier = told.result(HandlerCalls.earlier(may));
                return many && earlier != null ? Flux.fromIterable((List<?>) earlier) : Mono.justOrEmpty(earlier);
            }
            if (!claim.begins()) {
                return Mono.error(new HandlerClaim.ClaimNotGrantedException());
            }
            Attempt attempt = may.attempt();
            if (attempt == null) {
                return proceed(outer, () -> IdempotentInterceptor.again(invocation));
            }
            HandlerRun run = run(method, context);
            if (!run.begins()) {
                return Mono.error(run.why());
            }
            AttemptBinding held = new AttemptBinding(attempt, outer);
            wiring.traces().tell(attempt, observation(context));
            HandlerCalls.called(request);
            HandlerCalls.HandlerEnds ends = new HandlerCalls.HandlerEnds(run, request, true);
            return carrying(proceed(held, () -> MethodEntryTracker.ask(invocation, request::begun)), held, ends);
        };
        return many ? permission.flatMapMany(permitted) : permission.flatMap(may -> Mono.from(permitted.apply(may)));
    }

    private static @Nullable Object observation(ContextView context) {
        return context.<@Nullable Object>getOrDefault(AttemptTraces.CONTEXT, null);
    }

    /** Observes the end of the work. It does not collect the elements of a Flux. */
    private static Publisher<?> observed(CompletableFuture<@Nullable Object> end, Publisher<?> work) {
        return work instanceof Flux<?> many
                ? many.doOnComplete(() -> end.complete(List.of()))
                        .doOnError(end::completeExceptionally)
                        .doOnCancel(() -> end.completeExceptionally(new CancellationException()))
                : Mono.from(work)
                        .doOnSuccess(end::complete)
                        .doOnError(end::completeExceptionally)
                        .doOnCancel(() -> end.completeExceptionally(new CancellationException()));
    }

    private static CompletableFuture<?> begun(
            MethodInvocation invocation, ContextView context, @Nullable AttemptBinding outer) {
        AttemptBinding held = new AttemptBinding(Objects.requireNonNull(CurrentAttempt.get()), outer);
        Publisher<?> work = proceed(held, () -> MethodEntryTracker.ask(invocation, () -> {}));
        Mono<?> whole = work instanceof Flux<?> many ? many.collectList() : Mono.from(work);
        return whole.contextWrite(within -> with(within.putAll(context), held)).toFuture();
    }

    /** Puts the attempt into the context of the work, so that subscriptions on any thread find it. */
    private static Publisher<?> carrying(Publisher<?> work, AttemptBinding held, HandlerCalls.HandlerEnds ends) {
        return work instanceof Flux<?> many
                ? many.doOnComplete(ends::returned)
                        .onErrorMap(why -> noted(why, ends))
                        .contextWrite(within -> with(within, held))
                : Mono.from(work)
                        .doOnSuccess(value -> ends.returned())
                        .onErrorMap(why -> noted(why, ends))
                        .contextWrite(within -> with(within, held));
    }

    /** Tells the filter. A rejected caller gets the reason. */
    private static Throwable noted(Throwable why, HandlerCalls.HandlerEnds ends) {
        if (why instanceof MethodEntryTracker.NotEnteredException) {
            ends.refused();
            return Objects.requireNonNull(why.getCause());
        }
        ends.threw(why);
        return why;
    }

    private static Context with(Context context, AttemptBinding held) {
        return context.put(CurrentAttempt.CONTEXT, held.attempt()).put(CurrentAttempt.CHAIN, held);
    }

    /** Returns the attempt of the context, which follows the work, else the attempt of the thread. */
    private static @Nullable AttemptBinding current(ContextView context) {
        AttemptBinding held =
                context.<@Nullable AttemptBinding>getOrDefault(CurrentAttempt.CHAIN, CurrentAttempt.held());
        Attempt attempt = context.<@Nullable Attempt>getOrDefault(CurrentAttempt.CONTEXT, null);
        // other code, such as coroutines, puts only the attempt there
        return attempt == null || (held != null && held.attempt() == attempt)
                ? held
                : new AttemptBinding(attempt, held);
    }

    private static Publisher<?> proceed(@Nullable AttemptBinding held, Callable<@Nullable Object> call) {
        try {
            Object returned = CurrentAttempt.within(held, call);
            return (Publisher<?>) Objects.requireNonNull(returned, "a Mono or a Flux is needed");
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }
}
