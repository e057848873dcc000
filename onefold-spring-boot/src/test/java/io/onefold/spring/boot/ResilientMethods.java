package io.onefold.spring.boot;

import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.timelimiter.annotation.TimeLimiter;
import io.onefold.NotExecutedException;
import io.onefold.spring.Idempotent;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** Methods with aspects of Resilience4j. */
class ResilientMethods {
    private final Effects effects = new Effects();

    public int effects(String method) {
        return effects.of(method);
    }

    public void goOn(String method) {
        effects.goOn(method);
    }

    public void stop(String method) {
        effects.stop(method);
    }

    @Retry(name = "thrice")
    @Idempotent(operation = "methods.retried", key = "#id")
    public String retried(String id) {
        throw effects.failure("retried");
    }

    @Retry(name = "thrice")
    @Idempotent(operation = "methods.retriedFuture", key = "#id")
    public CompletableFuture<String> retriedFuture(String id) {
        return CompletableFuture.failedFuture(effects.failure("retriedFuture"));
    }

    @Retry(name = "thrice")
    @Idempotent(operation = "methods.retriedMono", key = "#id")
    public Mono<String> retriedMono(String id) {
        return Mono.error(() -> effects.failure("retriedMono"));
    }

    @Retry(name = "thrice")
    @Idempotent(operation = "methods.repeated", key = "#id")
    public String repeated(String id) {
        int times = effects.add("repeated");
        if (times < 3) {
            throw new NotExecutedException("not yet", null);
        }
        return "done at " + times;
    }

    @TimeLimiter(name = "hasty")
    @Idempotent(operation = "methods.limited", key = "#id")
    public CompletableFuture<String> limited(String id) {
        return effects.later("limited");
    }

    @TimeLimiter(name = "hasty")
    @Idempotent(operation = "methods.limitedMono", key = "#id")
    public Mono<String> limitedMono(String id) {
        return Mono.fromFuture(() -> effects.later("limitedMono"));
    }

    @Bulkhead(name = "narrow", type = Bulkhead.Type.THREADPOOL)
    @Idempotent(operation = "methods.pooled", key = "#id")
    public CompletableFuture<String> pooled(String id) {
        effects.await("bulkhead");
        return CompletableFuture.completedFuture(id);
    }

    @Bulkhead(name = "single")
    @Idempotent(operation = "methods.single", key = "#id")
    public CompletableFuture<String> single(String id) {
        return effects.await("bulkhead", id);
    }
}
