package io.onefold.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.web.HandlerRoutes.Said;
import org.junit.jupiter.api.Test;

/** Spring's patterns in the words of routes. */
class HandlerRoutesTest {
    @Test
    void what_routes_can_say_is_said_exactly() {
        assertThat(HandlerRoutes.said("", "/orders")).isEqualTo(new Said("/orders", true));
        assertThat(HandlerRoutes.said("/api", "/orders/{id}/capture"))
                .isEqualTo(new Said("/api/orders/{1}/capture", true));
        assertThat(HandlerRoutes.said("", "/a/*/b")).isEqualTo(new Said("/a/{1}/b", true));
        assertThat(HandlerRoutes.said("", "/files/**")).isEqualTo(new Said("/files/**", true));
        assertThat(HandlerRoutes.said("", "/files/{*rest}")).isEqualTo(new Said("/files/**", true));
    }

    @Test
    void what_they_cannot_say_matches_more_and_can_only_pass() {
        assertThat(HandlerRoutes.said("", "/files/{id:\\d+}")).isEqualTo(new Said("/files/{1}", false));
        assertThat(HandlerRoutes.said("", "/files/{name}.{ext}")).isEqualTo(new Said("/files/{1}", false));
        assertThat(HandlerRoutes.said("", "/files/*.json")).isEqualTo(new Said("/files/{1}", false));
        assertThat(HandlerRoutes.said("", "/files/**/raw")).isEqualTo(new Said("/files/**", false));
    }
}
