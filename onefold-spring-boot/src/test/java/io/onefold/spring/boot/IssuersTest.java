package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.http.Caller;
import io.onefold.http.PrincipalCallerResolver;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthenticationToken;
import org.springframework.security.oauth2.core.user.DefaultOAuth2User;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import reactor.core.publisher.Mono;

/** Users of one name whom different issuers or registrations have authenticated are different callers. */
class IssuersTest {
    private static final String A = "https://a.example";
    private static final String B = "https://b.example";

    enum Stack {
        SERVLET(Servlets.class, Running.WITHOUT_TOMCAT),
        REACTIVE(Reactive.class, "--spring.main.web-application-type=reactive");

        private final Class<?> application;
        private final String setting;

        Stack(Class<?> application, String setting) {
            this.application = application;
            this.setting = setting;
        }

        Running start(String... more) {
            String[] settings = {setting, "--onefold.store=memory", "--onefold.http.principal="};
            return Running.start(
                    application, Stream.of(settings, more).flatMap(Stream::of).toArray(String[]::new));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_key_of_a_user_of_one_issuer_means_nothing_to_the_namesake_of_another(Stack stack) throws Exception {
        try (Running shop = stack.start()) {
            assertThat(post(shop, "a.ann")).isEqualTo("1");
            assertThat(post(shop, "b.ann")).isEqualTo("2");
            assertThat(post(shop, "a.ann")).isEqualTo("1");
            assertThat(shop.bean(StartupReport.class).operations())
                    .contains("callers: by issuer or registration and by name, as Spring Security says");
        }
    }

    @ParameterizedTest
    @EnumSource
    void issuers_with_one_alias_have_the_same_users(Stack stack) throws Exception {
        try (Running shop = stack.start("--onefold.http.issuers.staff=" + A + "," + B)) {
            assertThat(post(shop, "a.ann")).isEqualTo("1");
            assertThat(post(shop, "b.ann")).isEqualTo("1");
            assertThat(post(shop, "c.ann")).isEqualTo("2");
            assertThat(shop.bean(StartupReport.class).operations()).contains("staff = " + A + " or " + B);
        }
    }

    @Test
    void an_issuer_with_two_aliases_is_refused() {
        assertThatThrownBy(
                        () -> Stack.SERVLET.start("--onefold.http.issuers.one=" + A, "--onefold.http.issuers.two=" + A))
                .hasStackTraceContaining("onefold.http.issuers: " + A + " has two aliases, one and two");
    }

    @Test
    void where_callers_are_not_told_apart_the_start_says_so() {
        try (Running shop = Running.start(Servlets.class, Running.WITHOUT_TOMCAT, "--onefold.store=memory")) {
            assertThat(shop.bean(StartupReport.class).operations())
                    .contains("callers: not told apart; whoever knows a key gets its answer");
        }
    }

    @Test
    void a_registration_is_part_of_who_has_logged_in() {
        PrincipalCallerResolver callers = new PrincipalCallerResolver(Map.of("staff", List.of("google", A)));
        assertThat(callers.of(login("google"))).isEqualTo(new Caller(null, "ann", "staff"));
        assertThat(callers.of(login("github"))).isEqualTo(new Caller(null, "ann", "github"));
        assertThat(callers.of(token(A, "ann"))).isEqualTo(new Caller(null, "ann", "staff"));
        assertThat(callers.of(token(B, "ann"))).isEqualTo(new Caller(null, "ann", B));
        assertThat(callers.of(new UsernamePasswordAuthenticationToken("ann", "pw")))
                .isEqualTo(Caller.of("ann"));
    }

    private static Principal login(String registration) {
        return new OAuth2AuthenticationToken(
                new DefaultOAuth2User(List.of(), Map.of("sub", "ann"), "sub"), List.of(), registration);
    }

    private static Principal token(String issuer, String user) {
        return new JwtAuthenticationToken(jwt("t", issuer, user));
    }

    private static Jwt jwt(String token, String issuer, String user) {
        return Jwt.withTokenValue(token)
                .header("alg", "none")
                .issuer(issuer)
                .subject(user)
                .expiresAt(Instant.now().plusSeconds(600))
                .build();
    }

    /** Of a token such as {@code a.ann}. */
    private static Jwt decoded(String token) {
        int dot = token.indexOf('.');
        return jwt(token, "https://" + token.substring(0, dot) + ".example", token.substring(dot + 1));
    }

    private static String post(Running shop, String token) throws Exception {
        return shop.client()
                .send(
                        shop.request("/pay", "k", "{}")
                                .header("Authorization", "Bearer " + token)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @WithoutJpa
    @Import(SecuredTest.Paying.class)
    static class Servlets {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .oauth2ResourceServer(server -> server.jwt(jwt -> jwt.decoder(IssuersTest::decoded)))
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        AtomicInteger runs() {
            return new AtomicInteger();
        }
    }

    @ReactiveApplication
    @EnableWebFluxSecurity
    @Import(ReactiveSecuredTest.Paying.class)
    static class Reactive {
        @Bean
        SecurityWebFilterChain chain(ServerHttpSecurity http) {
            return http.authorizeExchange(requests -> requests.anyExchange().authenticated())
                    .oauth2ResourceServer(server ->
                            server.jwt(jwt -> jwt.jwtDecoder(token -> Mono.fromSupplier(() -> decoded(token)))))
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        AtomicInteger runs() {
            return new AtomicInteger();
        }
    }
}
