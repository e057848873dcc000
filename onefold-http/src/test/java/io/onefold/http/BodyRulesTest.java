package io.onefold.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.http.BodyRules.BodyComparison;
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
        assertThat(STANDARD.max(5).memory(3).only("a").only).containsExactly("a");
        assertThat(STANDARD.only).isEmpty();
        assertThat(STANDARD.max(5).memory(3).max).isEqualTo(5);
    }

    @Test
    void members_that_are_named_stand_in_place_of_those_before() {
        assertThat(STANDARD.only("a", "b").only("c").only).containsExactly("c");
        assertThat(STANDARD.ignoring("a").ignoring("b", "c").ignoring).containsExactly("b", "c");
        assertThat(STANDARD.only("a").only().only).isEmpty();
        assertThat(STANDARD.ignoring("a").ignoring().compare(BodyComparison.RAW).ignoring)
                .isEmpty();
    }

    @Test
    void limits_that_make_no_sense_are_refused() {
        refused(() -> STANDARD.max(-1), "max", "-1");
        refused(() -> STANDARD.memory(-1), "memory", "-1");
        refused(() -> STANDARD.memory(Integer.MAX_VALUE), "memory", "1 GiB");
        refused(() -> STANDARD.ignoring("a..b"), "ignoring", "a..b");
        refused(() -> STANDARD.only(""), "only");
    }

    @Test
    void contradictions_are_refused_and_both_sides_named() {
        refused(() -> STANDARD.only("a.b").ignoring("a"), "only(\"a.b\")", "ignoring(\"a\")");
        refused(() -> STANDARD.ignoring("a").only("a"), "only(\"a\")", "ignoring(\"a\")");
        refused(() -> STANDARD.only("a").compare(BodyComparison.RAW), "only(\"a\")", "compare(RAW)");
        refused(() -> STANDARD.compare(BodyComparison.NONE).ignoring("a"), "ignoring(\"a\")", "compare(NONE)");
        refused(() -> STANDARD.ignoring("a").wireBytes(true), "ignoring(\"a\")", "wireBytes(true)");
        assertThat(STANDARD.only("a").ignoring("a.b").ignoring).containsExactly("a.b");
    }
}
