package io.onefold.spring.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextsTest {
    @Test
    void bytes_that_are_no_text_are_refused_and_not_taken_for_each_other() {
        for (byte[] bytes :
                List.of(new byte[] {(byte) 0xFF}, new byte[] {(byte) 0xFE}, new byte[] {'a', (byte) 0xC3})) {
            assertThatThrownBy(() -> HeaderTexts.of(List.of("k", bytes)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("UTF-8");
        }
        assertThat(HeaderTexts.of("Bestätigt \uFFFD".getBytes(StandardCharsets.UTF_8)))
                .containsExactly("Bestätigt \uFFFD");
    }
}
