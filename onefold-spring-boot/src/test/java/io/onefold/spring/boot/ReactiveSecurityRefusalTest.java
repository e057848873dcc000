package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.Idempotent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableReactiveMethodSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** With WebFlux. */
class ReactiveSecurityRefusalTest extends SecurityRefusalCases {
    @Override
    Running start() {
        return Running.start(Secured.class, ReactiveShopTest.REACTIVE, ReactiveShopTest.MEMORY, OUTER_EXCEPTIONS);
    }

    @Override
    Iterable<String> behindHandlers() {
        return List.of("/service", "/many");
    }

    /** Security's filter for WebFlux looks at no causes, so that it is given the cause itself. */
    @Test
    void a_refusal_among_the_causes_is_answered_by_security() throws Exception {
        assertThat(post("/wrapped", "w").statusCode()).isEqualTo(403);
        assertUnknown("/wrapped", "w");
    }

    @ReactiveApplication
    @EnableWebFluxSecurity
    @EnableReactiveMethodSecurity
    @Import({Vault.class, Payments.class})
    static class Secured {
        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.anyExchange().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        Bank bank() {
            return new Bank();
        }

        @Bean
        ReactiveUserDetailsService users(Bank bank) {
            return name -> Mono.fromSupplier(bank::ann);
        }

        @Bean
        @Order(SpringSecuritySupport.USUAL_ORDER + 1)
        WebFilter tenants() {
            return (exchange, chain) -> chain.filter(exchange).onErrorResume(TenantException.class, why -> {
                exchange.getResponse().setStatusCode(HttpStatusCode.valueOf(418));
                return exchange.getResponse().setComplete();
            });
        }
    }

    static class Vault {
        private final Bank bank;

        Vault(Bank bank) {
            this.bank = bank;
        }

        @PreAuthorize("hasRole('PAYER')")
        public Mono<String> pay() {
            return Mono.fromSupplier(() -> "paid " + bank.payments.incrementAndGet());
        }
    }

    @RestController
    static class Payments {
        private final Vault vault;

        Payments(Vault vault) {
            this.vault = vault;
        }

        @PostMapping("/service")
        @Idempotent(operation = "service", required = false)
        public Mono<String> service(ServerHttpResponse response) {
            response.getHeaders().set("Handled-By", "service");
            return vault.pay();
        }

        @PostMapping("/wrapped")
        @Idempotent(operation = "wrapped", required = false)
        public Mono<String> wrapped() {
            return vault.pay().onErrorMap(why -> new IllegalStateException("not paid", why));
        }

        @PostMapping("/many")
        @Idempotent(operation = "many", required = false)
        public Flux<String> many() {
            return vault.pay().flux();
        }

        @PreAuthorize("hasRole('PAYER')")
        @PostMapping("/guarded")
        @Idempotent(operation = "guarded")
        public Mono<String> guarded() {
            return vault.pay();
        }

        @PreAuthorize("hasRole('PAYER')")
        @PostMapping("/guarded-claiming")
        @Idempotent(operation = "guarded-claiming", key = "#id")
        public Mono<String> guardedClaiming(@RequestParam String id) {
            return vault.pay();
        }

        @PostMapping("/unauthenticated")
        @Idempotent(operation = "unauthenticated")
        public Mono<String> unauthenticated() {
            return Mono.error(new BadCredentialsException("no longer"));
        }

        @PostMapping("/claiming")
        @Idempotent(operation = "claiming", key = "#id")
        public Mono<String> claiming(@RequestParam String id) {
            return vault.pay();
        }

        @PostMapping("/retried")
        @Idempotent(operation = "retried", key = "#id", retryOn = AccessDeniedException.class)
        public Mono<String> retried(@RequestParam String id) {
            return vault.pay();
        }

        @PostMapping("/tenant")
        @Idempotent(operation = "tenant", required = false)
        public Mono<String> tenant() {
            return Mono.error(new TenantException());
        }
    }
}
