package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.http.BodyRules.Compare;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class BodyRulesTest {
    private static final BodyRules STANDARD = BodyRules.standard();

    private static void refused(Supplier<BodyRules> rules, String... parts) {
        assertThatThrownBy(rules::get)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void ten_mebibytes_are_taken_and_one_is_held_in_memory() {
        assertThat(STANDARD.max).isEqualTo(10_485_760);
        assertThat(STANDARD.memory).isEqualTo(1_048_576);
    }

    @Test
    void a_change_makes_a_copy() {
        assertThat(STANDARD.max(5).memory(3).only("a").only("b").only).containsExactly("a", "b");
        assertThat(STANDARD.only).isEmpty();
        assertThat(STANDARD.max(5).memory(3).max).isEqualTo(5);
    }

    @Test
    void limits_that_make_no_sense_are_refused() {
        refused(() -> STANDARD.max(-1), "max", "-1");
        refused(() -> STANDARD.memory(-1), "memory", "-1");
        refused(() -> STANDARD.memory(Integer.MAX_VALUE), "memory", "1 GiB");
        refused(STANDARD::only, "only");
        refused(() -> STANDARD.ignoring("a..b"), "ignoring", "a..b");
        refused(() -> STANDARD.only(""), "only");
    }

    @Test
    void contradictions_are_refused_and_both_sides_named() {
        refused(() -> STANDARD.only("a.b").ignoring("a"), "only(\"a.b\")", "ignoring(\"a\")");
        refused(() -> STANDARD.ignoring("a").only("a"), "only(\"a\")", "ignoring(\"a\")");
        refused(() -> STANDARD.only("a").compare(Compare.RAW), "only(\"a\")", "compare(RAW)");
        refused(() -> STANDARD.compare(Compare.NONE).ignoring("a"), "ignoring(\"a\")", "compare(NONE)");
        refused(() -> STANDARD.ignoring("a").wireBytes(true), "ignoring(\"a\")", "wireBytes(true)");
        assertThat(STANDARD.only("a").ignoring("a.b").ignoring).containsExactly("a.b");
    }
}
