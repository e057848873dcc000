package io.onefold.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.web.HandlerMappingRoutes.RoutePattern;
import org.junit.jupiter.api.Test;
import org.springframework.samples.Clinic;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.ModelAndView;

/** Spring's patterns in the words of routes. */
class MappedRoutesTest {
    @Test
    void what_routes_can_say_is_said_exactly() {
        assertThat(HandlerMappingRoutes.said("", "/orders")).isEqualTo(new RoutePattern("/orders", true));
        assertThat(HandlerMappingRoutes.said("/api", "/orders/{id}/capture"))
                .isEqualTo(new RoutePattern("/api/orders/{1}/capture", true));
        assertThat(HandlerMappingRoutes.said("", "/a/*/b")).isEqualTo(new RoutePattern("/a/{1}/b", true));
        assertThat(HandlerMappingRoutes.said("", "/files/**")).isEqualTo(new RoutePattern("/files/**", true));
        assertThat(HandlerMappingRoutes.said("", "/files/{*rest}")).isEqualTo(new RoutePattern("/files/**", true));
    }

    @Test
    void what_they_cannot_say_matches_more_and_can_only_pass() {
        assertThat(HandlerMappingRoutes.said("", "/files/{id:\\d+}")).isEqualTo(new RoutePattern("/files/{1}", false));
        assertThat(HandlerMappingRoutes.said("", "/files/{name}.{ext}"))
                .isEqualTo(new RoutePattern("/files/{1}", false));
        assertThat(HandlerMappingRoutes.said("", "/files/*.json")).isEqualTo(new RoutePattern("/files/{1}", false));
        assertThat(HandlerMappingRoutes.said("", "/files/**/raw")).isEqualTo(new RoutePattern("/files/**", false));
    }

    @Test
    void applications_may_be_anywhere_but_where_the_framework_is() throws Exception {
        assertThat(HandlerMappingRoutes.isOfApplication(new HandlerMethod(new Clinic(), "visit")))
                .isTrue();
        assertThat(HandlerMappingRoutes.isOfApplication(new HandlerMethod(new ModelAndView(), "toString")))
                .isFalse();
    }
}
