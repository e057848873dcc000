package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A reactive application: handlers of each kind, and users as they say they are. */
@ReactiveApplication
@Import(ReactiveShop.Counter.class)
class ReactiveShop {
    record Payment(String id, int amount) {}

    record Receipt(String id, int number) {}

    @Bean
    AtomicInteger runs() {
        return new AtomicInteger();
    }

    /** Where Spring Security stands, with what it makes of those who do not say who they are. */
    @Bean
    @Order(-100)
    WebFilter users() {
        return (exchange, chain) -> {
            String user = exchange.getRequest().getHeaders().getFirst("User");
            Principal principal = user == null
                    ? new AnonymousAuthenticationToken(
                            "key", "anonymousUser", List.of(new SimpleGrantedAuthority("ROLE_ANONYMOUS")))
                    : () -> user;
            return chain.filter(
                    exchange.mutate().principal(Mono.just(principal)).build());
        };
    }

    @RestController
    static class Counter {
        private final AtomicInteger runs;

        Counter(AtomicInteger runs) {
            this.runs = runs;
        }

        private Receipt receipt(Payment payment) {
            return new Receipt(payment.id(), runs.incrementAndGet());
        }

        @PostMapping("/pay")
        @Idempotent(operation = "pay")
        public Mono<Receipt> pay(@RequestBody Payment payment) {
            return Mono.fromSupplier(() -> receipt(payment));
        }

        @PostMapping("/orders")
        @Idempotent(operation = "order", key = "#payment.id")
        public Mono<Receipt> order(@RequestBody Payment payment) {
            return Mono.fromSupplier(() -> receipt(payment));
        }

        @PostMapping("/batches")
        @Idempotent(operation = "batch", key = "#payment.id")
        public Flux<Receipt> batch(@RequestBody Payment payment) {
            return Flux.defer(() -> Flux.just(receipt(payment), receipt(payment)));
        }

        @PostMapping("/blocking")
        @Idempotent(operation = "blocking")
        public Receipt blocking(@RequestBody Payment payment) {
            return receipt(payment);
        }

        @PostMapping("/guarded")
        @Idempotent(operation = "guarded")
        public Mono<Receipt> guarded(@RequestHeader("Guard") String guard, @RequestBody Payment payment) {
            return Mono.fromSupplier(() -> receipt(payment));
        }

        @PostMapping("/failing")
        @Idempotent(operation = "failing")
        public Mono<Receipt> failing(@RequestBody Payment payment) {
            return Mono.error(() -> {
                runs.incrementAndGet();
                return new ResponseStatusException(HttpStatus.GONE);
            });
        }
    }
}
