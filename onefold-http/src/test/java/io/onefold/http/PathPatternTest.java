package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathPatternTest {

    @Test
    void a_path_that_is_only_spelled_otherwise_is_the_same() {
        PathPattern pattern = new PathPattern("/orders/{id}/capture");
        assertThat(pattern.matches("/%6frders/1/capture")).isTrue();
        assertThat(pattern.matches("/orders;v=1/1/captur%65;x")).isTrue();
        assertThat(new PathPattern("/caf%C3%A9").matches("/caf%c3%a9")).isTrue();
        assertThat(new PathPattern("/a+b").matches("/a%2Bb")).isTrue();
        assertThat(new PathPattern("/a b").matches("/a+b")).isFalse();
        assertThat(pattern.matches("/orders%2F1/capture"))
                .as("an escape is not a slash")
                .isFalse();
        assertThat(pattern.matches("/orders/1/capture%zz")).isFalse();
    }

    @Test
    void a_place_is_one_segment_that_is_not_empty() {
        PathPattern pattern = new PathPattern("/orders/{id}/capture");
        assertThat(pattern.matches("/orders/1/capture")).isTrue();
        assertThat(pattern.matches("/orders/a%2Fb/capture")).isTrue();
        assertThat(pattern.matches("/orders//capture")).isFalse();
        assertThat(pattern.matches("/orders/1/2/capture")).isFalse();
        assertThat(pattern.matches("/orders/1/capture/")).isFalse();
        assertThat(pattern.matches("/orders/1")).isFalse();
    }

    @Test
    void the_rest_may_be_any_number_of_segments() {
        PathPattern pattern = new PathPattern("/api/**");
        assertThat(pattern.matches("/api/a/b")).isTrue();
        assertThat(pattern.matches("/api/")).isTrue();
        assertThat(pattern.matches("/apis")).isFalse();
        assertThat(new PathPattern("/**").matches("/")).isTrue();
        assertThat(new PathPattern("/**").matches("*")).isFalse();
    }

    @Test
    void a_path_may_resemble_a_pattern_in_case_and_in_its_last_slash() {
        PathPattern pattern = new PathPattern("/orders/{id}/capture");
        assertThat(resembles(pattern, "/Orders/1/CAPTURE/", true, true)).isTrue();
        assertThat(resembles(pattern, "/orders/1/capture/", false, true)).isFalse();
        assertThat(resembles(pattern, "/orders/1/Capture", true, false)).isFalse();
        assertThat(resembles(pattern, "/orders/1/captur", true, true)).isFalse();
        assertThat(resembles(pattern, "/orders/1/capture/2", true, true)).isFalse();
        assertThat(resembles(new PathPattern("/pay/"), "/PAY", true, true)).isTrue();
        assertThat(resembles(new PathPattern("/pay"), "/pay/;a=b", true, true)).isTrue();
        assertThat(resembles(new PathPattern("/"), "/", true, true)).isTrue();
        assertThat(resembles(new PathPattern("/"), "/a", true, true)).isFalse();
        assertThat(resembles(new PathPattern("/API/**"), "/api/a/b", true, true))
                .isTrue();
    }

    private static boolean resembles(PathPattern pattern, String path, boolean anySlash, boolean anyCase) {
        return pattern.resembles(new PathPattern.SentPath(path), anySlash, anyCase);
    }

    @Test
    void a_route_for_the_very_path_comes_before_one_that_it_resembles() {
        RouteTable routes = new RouteTable(
                HttpProfile.IETF,
                HttpPolicy.unchanged(),
                List.of(
                        Route.of("POST", "/pay").named("pay"),
                        Route.of("POST", "/PAY").named("PAY"),
                        Route.passing("/pay/"),
                        Route.of("POST", "/{any}").named("any")));
        assertThat(operation(routes, "/pay")).isEqualTo("pay");
        assertThat(operation(routes, "/PAY")).isEqualTo("PAY");
        assertThat(operation(routes, "/pay/")).isEqualTo("none");
        assertThat(operation(routes, "/Pay")).isEqualTo("pay");
        assertThat(operation(routes, "/paid")).isEqualTo("any");
        assertThat(operation(routes, "/paid/")).isEqualTo("any");
    }

    private static String operation(RouteTable routes, String path) {
        ProtectedOperation covered = routes.of("POST", path);
        return covered == null ? "none" : covered.operation().name();
    }

    @Test
    void a_path_is_ambiguous_if_another_reading_leads_to_a_route_that_asks_for_more() {
        HttpPolicy required = HttpPolicy.unchanged().required(true);
        RouteTable routes = new RouteTable(
                HttpProfile.IETF,
                HttpPolicy.unchanged(),
                List.of(
                        Route.of("POST", "/pay").policy(required),
                        Route.of("POST", "/projects/{id}/hooks"),
                        Route.of("POST", "/x/{id}"),
                        Route.of("POST", "/x/a/pay").policy(required),
                        Route.of("POST", "/watched").policy(required.shadow(true)),
                        Route.of("POST", "/**")));
        for (String path :
                List.of("/pay%2f", "//pay", "/x/a%2fpay", "/x/a%5Cpay", "/%252e%252e/pay", "/y%2f..%2fpay")) {
            assertThat(routes.isAmbiguous("POST", path)).as(path).isTrue();
            assertThat(routes.isAmbiguous("PUT", path)).as(path).isFalse();
        }
        for (String path :
                List.of("/projects/a%2Fb/hooks", "/100%25", "/a//b", "/pay", "/p%61y", "/a%zz", "/watched%2f")) {
            assertThat(routes.isAmbiguous("POST", path)).as(path).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "/a/**/b", "/a*", "/{", "/{}", "/a{b}"})
    void what_is_no_pattern_is_refused_by_name(String text) {
        assertThatThrownBy(() -> new PathPattern(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }
}
