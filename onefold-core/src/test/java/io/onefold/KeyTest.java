package io.onefold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "a\tb", "a\u0000", "half \ud800 pair", "\udc00"})
    void a_key_that_cannot_be_stored_as_it_is_is_refused(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> Key.of(value)).withMessageStartingWith("key ");
    }

    @Test
    void a_key_has_at_most_255_characters() {
        assertThat(Key.of("x".repeat(255)).value()).hasSize(255);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("x".repeat(256)))
                .withMessageContaining("256")
                .withMessageContaining("255");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("x".repeat(255)).child("item"))
                .withMessageContaining("260");
    }

    @Test
    void children_and_systems_keep_the_form_that_people_read() {
        assertThat(Key.of("req-001").child("item-A").value()).isEqualTo("req-001:item-A");
        assertThat(Key.of("req-001").from("A").value()).isEqualTo("A:req-001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("req-001").child("a:b"))
                .withMessageContaining("':'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.of("req-001").from(" "))
                .withMessageContaining("blank");
    }

    @Test
    void no_two_lists_of_parts_are_the_same_scope() {
        assertThat(Key.of("k").in("a/b", "c").scope())
                .isNotEqualTo(Key.of("k").in("a", "b/c").scope());
        assertThat(Key.of("k").in("a%2Fb").scope())
                .isNotEqualTo(Key.of("k").in("a/b").scope());
    }

    @Test
    void equal_content_makes_equal_keys_for_a_window() {
        Duration window = Duration.ofMinutes(10);
        Key one = Key.ofContent(Map.of("cents", 100, "to", "bob"), window);
        Key same = Key.ofContent(Map.of("to", "bob", "cents", 100L), window);
        Key other = Key.ofContent(Map.of("to", "bob", "cents", 101), window);
        assertThat(one.value()).isEqualTo(same.value()).isNotEqualTo(other.value());
        assertThat(one.window()).isEqualTo(window);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.ofContent("x", Duration.ZERO))
                .withMessageContaining("window");
    }

    @Test
    void a_token_belongs_to_its_user_in_every_scope() {
        assertThat(Key.ofToken("t", "ann").scope()).isEqualTo("ann");
        assertThat(Key.ofToken("t", "ann").in("tenant").scope()).isEqualTo("ann/tenant");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.ofToken("t", "ann").child("a"))
                .withMessageContaining("one request");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Key.ofToken("t", "ann").from("a"))
                .withMessageContaining("one request");
    }

    @Test
    void a_key_shows_nothing_of_itself() {
        assertThat(Key.of("ann@example.org").matching("secret"))
                .asString()
                .doesNotContain("ann")
                .doesNotContain("secret");
    }
}
