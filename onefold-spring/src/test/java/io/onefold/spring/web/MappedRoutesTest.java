package io.onefold.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.spring.web.MappedRoutes.Said;
import org.junit.jupiter.api.Test;
import org.springframework.samples.Clinic;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.ModelAndView;

/** Spring's patterns in the words of routes. */
class MappedRoutesTest {
    @Test
    void what_routes_can_say_is_said_exactly() {
        assertThat(MappedRoutes.said("", "/orders")).isEqualTo(new Said("/orders", true));
        assertThat(MappedRoutes.said("/api", "/orders/{id}/capture"))
                .isEqualTo(new Said("/api/orders/{1}/capture", true));
        assertThat(MappedRoutes.said("", "/a/*/b")).isEqualTo(new Said("/a/{1}/b", true));
        assertThat(MappedRoutes.said("", "/files/**")).isEqualTo(new Said("/files/**", true));
        assertThat(MappedRoutes.said("", "/files/{*rest}")).isEqualTo(new Said("/files/**", true));
    }

    @Test
    void what_they_cannot_say_matches_more_and_can_only_pass() {
        assertThat(MappedRoutes.said("", "/files/{id:\\d+}")).isEqualTo(new Said("/files/{1}", false));
        assertThat(MappedRoutes.said("", "/files/{name}.{ext}")).isEqualTo(new Said("/files/{1}", false));
        assertThat(MappedRoutes.said("", "/files/*.json")).isEqualTo(new Said("/files/{1}", false));
        assertThat(MappedRoutes.said("", "/files/**/raw")).isEqualTo(new Said("/files/**", false));
    }

    @Test
    void applications_may_be_anywhere_but_where_the_framework_is() throws Exception {
        assertThat(MappedRoutes.isOfApplication(new HandlerMethod(new Clinic(), "visit")))
                .isTrue();
        assertThat(MappedRoutes.isOfApplication(new HandlerMethod(new ModelAndView(), "toString")))
                .isFalse();
    }
}
