package io.onefold.spring.boot;

import io.onefold.spring.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** In Tomcat, with Spring MVC. */
class SecurityRefusalTest extends SecurityRefusalCases {
    @Override
    Running start() {
        return Running.start(Secured.class, OUTER_EXCEPTIONS);
    }

    @Override
    Iterable<String> behindHandlers() {
        return List.of("/service", "/wrapped", "/callable", "/deferred", "/future");
    }

    @Test
    void what_is_rolled_back_leaves_the_key_free() throws Exception {
        leavesTheKeyFree("/joined");
    }

    @EnableMethodSecurity
    @WithoutJpa
    @Import({Vault.class, Payments.class})
    static class Secured {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        Bank bank() {
            return new Bank();
        }

        @Bean
        UserDetailsService users(Bank bank) {
            return name -> bank.ann();
        }

        @Bean
        FilterRegistrationBean<Filter> tenants() {
            FilterRegistrationBean<Filter> tenants = new FilterRegistrationBean<>((request, response, chain) -> {
                try {
                    chain.doFilter(request, response);
                } catch (ServletException e) {
                    if (!(e.getRootCause() instanceof TenantException)) {
                        throw e;
                    }
                    ((HttpServletResponse) response).setStatus(418);
                }
            });
            tenants.setOrder(SpringSecuritySupport.USUAL_ORDER + 1);
            tenants.setAsyncSupported(true);
            return tenants;
        }
    }

    static class Vault {
        private final Bank bank;

        Vault(Bank bank) {
            this.bank = bank;
        }

        @PreAuthorize("hasRole('PAYER')")
        public String pay() {
            return "paid " + bank.payments.incrementAndGet();
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
        public String service(HttpServletResponse response) {
            response.setHeader("Handled-By", "service");
            return vault.pay();
        }

        @PostMapping("/wrapped")
        @Idempotent(operation = "wrapped", required = false)
        public String wrapped() {
            try {
                return vault.pay();
            } catch (AccessDeniedException e) {
                throw new IllegalStateException("not paid", new IllegalArgumentException(e));
            }
        }

        @PostMapping("/callable")
        @Idempotent(operation = "callable", required = false)
        public Callable<String> callable() {
            return vault::pay;
        }

        @PostMapping("/deferred")
        @Idempotent(operation = "deferred", required = false)
        public DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>();
            try {
                result.setResult(vault.pay());
            } catch (AccessDeniedException e) {
                result.setErrorResult(e);
            }
            return result;
        }

        @PostMapping("/future")
        @Idempotent(operation = "future", required = false)
        public CompletableFuture<String> future() {
            try {
                return CompletableFuture.completedFuture(vault.pay());
            } catch (AccessDeniedException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        @PreAuthorize("hasRole('PAYER')")
        @PostMapping("/guarded")
        @Idempotent(operation = "guarded")
        public String guarded() {
            return vault.pay();
        }

        @PreAuthorize("hasRole('PAYER')")
        @PostMapping("/guarded-claiming")
        @Idempotent(operation = "guarded-claiming", key = "#id")
        public String guardedClaiming(@RequestParam String id) {
            return vault.pay();
        }

        @PostMapping("/unauthenticated")
        @Idempotent(operation = "unauthenticated")
        public String unauthenticated() {
            throw new BadCredentialsException("no longer");
        }

        @PostMapping("/claiming")
        @Idempotent(operation = "claiming", key = "#id")
        public String claiming(@RequestParam String id) {
            return vault.pay();
        }

        @PostMapping("/retried")
        @Idempotent(operation = "retried", key = "#id", retryOn = AccessDeniedException.class)
        public String retried(@RequestParam String id) {
            return vault.pay();
        }

        @Transactional
        @PostMapping("/joined")
        @Idempotent(operation = "joined")
        public String joined() {
            return vault.pay();
        }

        @PostMapping("/tenant")
        @Idempotent(operation = "tenant", required = false)
        public String tenant() {
            throw new TenantException();
        }
    }
}
