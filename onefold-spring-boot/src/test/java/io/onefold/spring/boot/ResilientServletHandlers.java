package io.onefold.spring.boot;

import io.github.resilience4j.bulkhead.annotation.Bulkhead;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.timelimiter.annotation.TimeLimiter;
import io.onefold.spring.Idempotent;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Handlers that only servlets can have. */
@RestController
class ResilientServletHandlers {
    private final ResilientHandlers handlers;

    ResilientServletHandlers(ResilientHandlers handlers) {
        this.handlers = handlers;
    }

    @Retry(name = "thrice")
    @PostMapping("/late")
    @Idempotent(operation = "late", key = "#id")
    public String late(@RequestParam String id) {
        throw handlers.effects().failure("/late?id=" + id);
    }

    @TimeLimiter(name = "hasty")
    @PostMapping("/limited")
    @Idempotent(operation = "limited")
    public CompletableFuture<String> limited() {
        return handlers.later("/limited");
    }

    @TimeLimiter(name = "hasty", fallbackMethod = "away")
    @PostMapping("/turnedAway")
    @Idempotent(operation = "turnedAway")
    public CompletableFuture<ResponseEntity<String>> turnedAway() {
        return handlers.later("/turnedAway").thenApply(ResponseEntity::ok);
    }

    CompletableFuture<ResponseEntity<String>> away(Throwable why) {
        return CompletableFuture.completedFuture(ResponseEntity.status(429).body("later"));
    }

    @TimeLimiter(name = "hasty", fallbackMethod = "lateAway")
    @PostMapping("/lateTurnedAway")
    @Idempotent(operation = "lateTurnedAway", key = "#id")
    public CompletableFuture<ResponseEntity<String>> lateTurnedAway(@RequestParam String id) {
        return handlers.later("/lateTurnedAway").thenApply(ResponseEntity::ok);
    }

    CompletableFuture<ResponseEntity<String>> lateAway(String id, Throwable why) {
        return CompletableFuture.completedFuture(ResponseEntity.status(429).body("later"));
    }

    @CircuitBreaker(name = "broken")
    @PostMapping("/broken")
    @Idempotent(operation = "broken")
    public CompletableFuture<String> broken() {
        return CompletableFuture.completedFuture("done at " + handlers.effects().add("/broken"));
    }

    @Bulkhead(name = "narrow", type = Bulkhead.Type.THREADPOOL)
    @PostMapping("/pooled")
    @Idempotent(operation = "pooled")
    public CompletableFuture<String> pooled() {
        handlers.effects().await("pool");
        return CompletableFuture.completedFuture("done");
    }
}
