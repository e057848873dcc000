package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.http.Caller;
import io.onefold.spring.Idempotent;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Who gets an earlier answer after losing the right to ask for it, depending on who checks that right. */
class RevokedTest {
    @Test
    void replays_pass_by_method_security_and_not_by_what_stands_before_the_filter_or_is_asked_by_it() throws Exception {
        try (Running bank = Running.start(Bank.class, "--onefold.store=memory", "--onefold.http.principal=")) {
            List<String> paths = List.of("/by-method", "/by-chain", "/by-readers", "/claiming");
            for (String path : paths) {
                assertThat(post(bank, path).statusCode()).as(path).isEqualTo(200);
            }
            bank.bean(InMemoryUserDetailsManager.class).updateUser(ann());
            List<String> intercepted = bank.bean(Intercepted.class).paths;
            intercepted.clear();

            HttpResponse<String> replayed = post(bank, "/by-method");
            assertThat(replayed.statusCode()).isEqualTo(200);
            assertThat(replayed.headers().firstValue("Idempotent-Replayed")).contains("true");
            assertThat(intercepted).as("nor do interceptors see it").isEmpty();

            assertThat(post(bank, "/by-chain").statusCode()).isEqualTo(403);
            assertThat(post(bank, "/by-readers").statusCode()).isEqualTo(403);
            assertThat(post(bank, "/claiming").statusCode())
                    .as("claims for itself, inside of method security")
                    .isEqualTo(403);
        }
    }

    private static UserDetails ann(String... roles) {
        return User.withUsername("ann").password("{noop}pw").roles(roles).build();
    }

    private static HttpResponse<String> post(Running bank, String path) throws Exception {
        String secret = Base64.getEncoder().encodeToString("ann:pw".getBytes(StandardCharsets.UTF_8));
        return bank.client()
                .send(
                        bank.request(path, "k", "{}")
                                .header("Authorization", "Basic " + secret)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @EnableMethodSecurity
    @WithoutJpa
    @Import({Payouts.class, Intercepted.class})
    static class Bank {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/by-chain")
                            .hasRole("PAYER")
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        InMemoryUserDetailsManager users() {
            return new InMemoryUserDetailsManager(ann("PAYER"));
        }

        /** As the guide has it. */
        @Bean
        HttpContractCustomizer whoMayStillRead(UserDetailsService users) {
            return contract -> contract.readers(head -> {
                Caller caller = head.caller();
                boolean may = !head.path().equals("/by-readers")
                        || (caller != null
                                && users
                                        .loadUserByUsername(String.valueOf(caller.principal()))
                                        .getAuthorities()
                                        .stream()
                                        .anyMatch(held -> "ROLE_PAYER".equals(held.getAuthority())));
                return CompletableFuture.completedFuture(may);
            });
        }
    }

    static class Intercepted implements WebMvcConfigurer {
        final List<String> paths = new ArrayList<>();

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addInterceptor(new HandlerInterceptor() {
                @Override
                public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
                    paths.add(request.getServletPath());
                    return true;
                }
            });
        }
    }

    @RestController
    @PreAuthorize("hasRole('PAYER')")
    static class Payouts {
        @PostMapping("/by-method")
        @Idempotent(operation = "by-method")
        public String byMethod() {
            return "paid";
        }

        @PostMapping("/by-chain")
        @Idempotent(operation = "by-chain")
        public String byChain() {
            return "paid";
        }

        @PostMapping("/by-readers")
        @Idempotent(operation = "by-readers")
        public String byReaders() {
            return "paid";
        }

        @PostMapping("/claiming")
        @Idempotent(operation = "claiming", key = "'k'")
        public String claiming() {
            return "paid";
        }
    }
}
