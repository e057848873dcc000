package io.onefold.spring.boot;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The shop with users as they say they are. */
@Application
@Import(Shop.Counter.class)
class NamedShop {
    @Bean
    Shop.Runs runs() {
        return new Shop.Runs();
    }

    /** Where Spring Security stands. */
    @Bean
    FilterRegistrationBean<Filter> users() {
        FilterRegistrationBean<Filter> registration =
                new FilterRegistrationBean<>((request, response, chain) -> chain.doFilter(
                        new HttpServletRequestWrapper((HttpServletRequest) request) {
                            @Override
                            public @Nullable Principal getUserPrincipal() {
                                String user = getHeader("User");
                                return user == null ? null : () -> user;
                            }
                        },
                        response));
        registration.setOrder(-100);
        return registration;
    }
}
