package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

class ReactiveSecuredTest extends SecuredCases {
    @Override
    Running start(String... more) {
        String[] settings = {
            "--spring.main.web-application-type=reactive", "--onefold.store=memory", "--onefold.http.principal="
        };
        return Running.start(
                Secured.class, Stream.of(settings, more).flatMap(Stream::of).toArray(String[]::new));
    }

    @ReactiveApplication
    @EnableWebFluxSecurity
    @Import({Paying.class, Refunding.class})
    static class Secured {
        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.anyExchange().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(ANN, BOB);
        }

        @Bean
        AtomicInteger runs() {
            return new AtomicInteger();
        }
    }

    @RestController
    static class Paying {
        private final AtomicInteger runs;

        Paying(AtomicInteger runs) {
            this.runs = runs;
        }

        @PostMapping("/pay")
        @Idempotent(operation = "pay")
        public Mono<String> pay() {
            return Mono.fromSupplier(() -> String.valueOf(runs.incrementAndGet()));
        }
    }

    @RestController
    static class Refunding implements Refunds<Mono<String>> {
        private final AtomicInteger runs;

        Refunding(AtomicInteger runs) {
            this.runs = runs;
        }

        @Override
        @Idempotent(key = "#id")
        public Mono<String> refund(String id) {
            return Mono.fromSupplier(() -> String.valueOf(runs.incrementAndGet()));
        }
    }
}
