package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @ParameterizedTest
    @ValueSource(strings = {"orders", "/a/**/b", "/a*", "/{", "/{}", "/a{b}"})
    void what_is_no_pattern_is_refused_by_name(String text) {
        assertThatThrownBy(() -> new PathPattern(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }
}
