package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.Idempotent;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** With Spring Security, keys are those of its principal, and nobody gets past it. In Jetty, with its WebSockets. */
class SecuredTest {
    @Test
    void keys_of_one_user_mean_nothing_to_another_and_strangers_are_turned_away() throws Exception {
        try (Running shop = Running.start(
                Secured.class,
                Running.WITHOUT_TOMCAT,
                "--onefold.store=memory",
                "--onefold.http.principal=",
                "--management.endpoints.web.exposure.include=onefold,health",
                "--management.endpoint.health.show-details=always")) {
            assertThat(post(shop, "ann")).isEqualTo("1");
            assertThat(post(shop, "ann")).isEqualTo("1");
            assertThat(post(shop, "bob")).isEqualTo("2");
            HttpResponse<String> stranger = shop.post("/pay", "k", "{}");
            assertThat(stranger.statusCode()).isEqualTo(401);
            assertThat(shop.bean(AtomicInteger.class)).hasValue(2);
        }
    }

    @Test
    void wherever_spring_security_stands_requests_pass_it_first() throws Exception {
        for (String order : List.of("-2147483000", "-100", "500")) {
            try (Running shop = Running.start(
                    Secured.class,
                    Running.WITHOUT_TOMCAT,
                    "--onefold.store=memory",
                    "--onefold.http.principal=",
                    "--spring.security.filter.order=" + order)) {
                assertThat(post(shop, "ann")).isEqualTo("1");
                assertThat(post(shop, "ann")).isEqualTo("1");
                assertThat(post(shop, "bob")).isEqualTo("2");
                assertThat(shop.post("/pay", "k", "{}").statusCode()).isEqualTo(401);
            }
        }
    }

    @Test
    void a_filter_before_spring_security_is_refused_with_both_orders() {
        assertThatThrownBy(() -> Running.start(
                        Secured.class,
                        Running.WITHOUT_TOMCAT,
                        "--onefold.store=memory",
                        "--spring.security.filter.order=7",
                        "--onefold.http.filter-order=7"))
                .rootCause()
                .hasMessageContaining("onefold.http.filter-order")
                .hasMessageContaining("'7'")
                .hasMessageContaining("whose order is 7");
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

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration",
                "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
                "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration"
            })
    @Import(Paying.class)
    static class Secured {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
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
        public String pay() {
            return String.valueOf(runs.incrementAndGet());
        }
    }
}
