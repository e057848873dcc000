package io.onefold.spring.boot;

import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.timelimiter.annotation.TimeLimiter;
import io.onefold.NotExecutedException;
import io.onefold.spring.Idempotent;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Handlers with aspects of Resilience4j. */
@RestController
class ResilientHandlers {
    private static final String OFF = "off";
    private final Effects effects = new Effects();

    public int effects(String path) {
        return effects.of(path);
    }

    public void goOn() {
        effects.goOn(OFF);
    }

    public Effects effects() {
        return effects;
    }

    @Retry(name = "thrice")
    @PostMapping("/retried")
    @Idempotent(operation = "retried")
    public String retried() {
        throw effects.failure("/retried");
    }

    @Retry(name = "thrice")
    @PostMapping("/future")
    @Idempotent(operation = "future")
    public CompletableFuture<String> future() {
        return CompletableFuture.failedFuture(effects.failure("/future"));
    }

    @Retry(name = "thrice")
    @PostMapping("/mono")
    @Idempotent(operation = "mono")
    public Mono<String> mono() {
        return Mono.error(() -> effects.failure("/mono"));
    }

    @Retry(name = "thrice")
    @PostMapping("/repeated")
    @Idempotent(operation = "repeated")
    public String repeated() {
        return repeated("/repeated");
    }

    @Retry(name = "thrice")
    @PostMapping("/repeatedMono")
    @Idempotent(operation = "repeatedMono")
    public Mono<String> repeatedMono() {
        return Mono.fromSupplier(() -> repeated("/repeatedMono"));
    }

    private String repeated(String path) {
        int times = effects.add(path);
        if (times < 3) {
            throw new NotExecutedException("not yet", null);
        }
        return "done at " + times;
    }

    @TimeLimiter(name = "hasty")
    @PostMapping("/limitedMono")
    @Idempotent(operation = "limitedMono")
    public Mono<String> limitedMono() {
        return Mono.fromFuture(() -> later("/limitedMono"));
    }

    @TimeLimiter(name = "hasty", fallbackMethod = "awayMono")
    @PostMapping("/turnedAwayMono")
    @Idempotent(operation = "turnedAwayMono")
    public Mono<ResponseEntity<String>> turnedAwayMono() {
        return Mono.fromFuture(() -> later("/turnedAwayMono")).map(ResponseEntity::ok);
    }

    Mono<ResponseEntity<String>> awayMono(Throwable why) {
        return Mono.just(ResponseEntity.status(429).body("later"));
    }

    @CircuitBreaker(name = "calm", fallbackMethod = "inItsPlace")
    @PostMapping("/fallback")
    @Idempotent(operation = "fallback")
    public String fallback() {
        throw effects.failure("/fallback");
    }

    String inItsPlace(Throwable why) {
        return "in its place";
    }

    /** Has its effect once all may go on. */
    CompletableFuture<String> later(String path) {
        return effects.await(OFF, path).thenApply(value -> "done at " + effects.add(path));
    }
}
