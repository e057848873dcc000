package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.spring.IdempotentMethodRegistry;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;

/** With Spring Security, keys are those of its principal without anything said, and nobody gets past it. */
abstract class SecuredCases {
    static final UserDetails ANN = User.withUsername("ann").password("{noop}pw").build();
    static final UserDetails BOB = User.withUsername("bob").password("{noop}pw").build();

    /** One that counts the runs of {@code POST /pay}, and answers their number. */
    abstract Running start(String... more);

    @Test
    void keys_of_one_user_mean_nothing_to_another_and_strangers_are_turned_away() throws Exception {
        try (Running shop = start()) {
            isSecured(shop);
            ofAnExchange(shop);
        }
    }

    /** Handlers may be mapped by what clients are described with, too. The key is an argument: anybody can guess it. */
    private static void ofAnExchange(Running shop) throws Exception {
        assertThat(post(shop, "ann", "/exchange/refunds/7")).isEqualTo("3");
        assertThat(post(shop, "ann", "/exchange/refunds/7")).isEqualTo("3");
        assertThat(post(shop, "bob", "/exchange/refunds/7")).isEqualTo("4");
        assertThat(shop.bean(IdempotentMethodRegistry.class).all())
                .extracting(method -> method.name() + " " + method.door())
                .contains("POST /exchange/refunds/{id} HTTP");
    }

    @HttpExchange("/exchange")
    interface Refunds<T> {
        @PostExchange("/refunds/{id}")
        T refund(@PathVariable String id);
    }

    static void isSecured(Running shop) throws Exception {
        assertThat(post(shop, "ann", "/pay")).isEqualTo("1");
        assertThat(post(shop, "ann", "/pay")).isEqualTo("1");
        assertThat(post(shop, "bob", "/pay")).isEqualTo("2");
        assertThat(shop.post("/pay", "k", "{}").statusCode()).isEqualTo(401);
        assertThat(shop.bean(AtomicInteger.class)).hasValue(2);
    }

    @Test
    void a_filter_before_spring_security_is_refused_with_both_orders() {
        assertThatThrownBy(() -> start("--onefold.http.filter-order=-100"))
                .rootCause()
                .hasMessageContaining("onefold.http.filter-order")
                .hasMessageContaining("'-100'")
                .hasMessageContaining("whose order is -100");
    }

    private static String post(Running shop, String user, String path) throws Exception {
        String secret = Base64.getEncoder().encodeToString((user + ":pw").getBytes(StandardCharsets.UTF_8));
        return shop.client()
                .send(
                        shop.request(path, "k", "{}")
                                .header("Authorization", "Basic " + secret)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
