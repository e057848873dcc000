package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** With Spring Security in WebFlux, nothing else needs to say whose keys they are. */
class ReactiveSecuredTest {
    private static final String[] SETTINGS = {
        "--spring.main.web-application-type=reactive", "--onefold.store=memory", "--onefold.http.principal="
    };

    @Test
    void keys_of_one_user_mean_nothing_to_another_and_strangers_are_turned_away() throws Exception {
        try (Running shop = Running.start(Secured.class, SETTINGS)) {
            assertThat(post(shop, "ann")).isEqualTo("1");
            assertThat(post(shop, "ann")).isEqualTo("1");
            assertThat(post(shop, "bob")).isEqualTo("2");
            assertThat(shop.post("/pay", "k", "{}").statusCode()).isEqualTo(401);
            assertThat(shop.bean(AtomicInteger.class)).hasValue(2);
        }
    }

    @Test
    void a_filter_before_spring_security_is_refused_with_both_orders() {
        assertThatThrownBy(() -> Running.start(
                        Secured.class, SETTINGS[0], SETTINGS[1], SETTINGS[2], "--onefold.http.filter-order=-101"))
                .rootCause()
                .hasMessageContaining("onefold.http.filter-order")
                .hasMessageContaining("-101")
                .hasMessageContaining("whose order is -100");
    }

    private static String post(Running shop, String user) throws Exception {
        String secret = Base64.getEncoder().encodeToString((user + ":pw").getBytes(StandardCharsets.UTF_8));
        return shop.client()
                .send(
                        shop.request("/pay", "k", "{}")
                                .header("Authorization", "Basic " + secret)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @ReactiveApplication
    @EnableWebFluxSecurity
    @Import(Paying.class)
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
            return new MapReactiveUserDetailsService(
                    User.withUsername("ann").password("{noop}pw").build(),
                    User.withUsername("bob").password("{noop}pw").build());
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
}
