package io.onefold.spring.boot;

import io.github.resilience4j.retry.annotation.Retry;
import io.onefold.spring.Idempotent;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Handlers that only WebFlux can have. */
@RestController
class ResilientWebFluxHandlers {
    private final ResilientHandlers handlers;

    ResilientWebFluxHandlers(ResilientHandlers handlers) {
        this.handlers = handlers;
    }

    @Retry(name = "thrice")
    @PostMapping("/lateMono")
    @Idempotent(operation = "lateMono", key = "#id")
    public Mono<String> lateMono(@RequestParam String id) {
        return Mono.error(() -> handlers.effects().failure("/lateMono?id=" + id));
    }
}
