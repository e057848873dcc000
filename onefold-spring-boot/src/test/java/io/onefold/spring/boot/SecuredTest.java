package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** In Jetty, with its WebSockets; on Spring Boot 3 in Tomcat. */
class SecuredTest extends SecuredCases {
    @Override
    Running start(String... more) {
        String[] settings = {
            Running.WITHOUT_TOMCAT,
            "--onefold.store=memory",
            "--onefold.http.principal=",
            "--management.endpoints.web.exposure.include=onefold,health"
        };
        return Running.start(
                Secured.class, Stream.of(settings, more).flatMap(Stream::of).toArray(String[]::new));
    }

    @Test
    void wherever_spring_security_stands_requests_pass_it_first() throws Exception {
        for (String order : List.of("-2147483000", "500")) {
            try (Running shop = start("--spring.security.filter.order=" + order)) {
                isSecured(shop);
            }
        }
    }

    @WithoutJpa
    @Import({Paying.class, Refunding.class})
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
            return new InMemoryUserDetailsManager(ANN, BOB);
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

    @RestController
    static class Refunding implements Refunds<String> {
        private final AtomicInteger runs;

        Refunding(AtomicInteger runs) {
            this.runs = runs;
        }

        @Override
        @Idempotent(key = "#id")
        public String refund(String id) {
            return String.valueOf(runs.incrementAndGet());
        }
    }
}
