package io.onefold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationTest {
    private static final Operation<String> CHARGE = Operation.of("charge", String.class);

    static Stream<Arguments> contradictions() {
        return Stream.of(
                refused(op -> op.lease(Duration.ofMinutes(20)), "lease PT20M", "maxRun PT10M"),
                refused(op -> op.waitFor(Duration.ofMinutes(11)), "waitFor PT11M", "maxRun PT10M"),
                refused(
                        op -> op.keepFor(Duration.ofSeconds(5)).waitFor(Duration.ofSeconds(6)),
                        "waitFor PT6S",
                        "keepFor PT5S"),
                refused(
                        op -> op.rejectDuplicates("no").waitFor(Duration.ofSeconds(6)),
                        "rejectDuplicates",
                        "waitFor is PT6S"),
                refused(
                        op -> op.overwrite().refuseLateDuplicates(Duration.ofDays(1)),
                        "overwrite",
                        "refuseLateDuplicates PT24H"),
                refused(op -> op.overwrite().rejectDuplicates("once"), "overwrite", "rejectDuplicates(\"once\")"),
                refused(op -> op.maxAttempts(1).retryOn(IOException.class), "retryOn", "maxAttempts is 1"),
                refused(op -> op.maxAttempts(1).safeToRepeat(), "safeToRepeat", "maxAttempts is 1"),
                refused(
                        op -> op.retryOn(IOException.class).failOn(IOException.class),
                        "retryOn and failOn",
                        "java.io.IOException"),
                refused(op -> op.keepFor(Duration.ZERO), "keepFor", "PT0S"),
                refused(op -> op.lease(Duration.ofNanos(1)), "lease", "PT0.000000001S"),
                refused(op -> op.waitFor(Duration.ofSeconds(-1)), "waitFor", "PT-1S"),
                refused(op -> op.maxAttempts(0), "maxAttempts", "0"),
                refused(op -> op.maxResultBytes(-1), "maxResultBytes", "-1"));
    }

    private static Arguments refused(UnaryOperator<Operation<String>> made, String... named) {
        return Arguments.of(made, List.of(named));
    }

    @ParameterizedTest
    @MethodSource("contradictions")
    void what_cannot_be_is_refused_naming_both_values(UnaryOperator<Operation<String>> made, List<String> named) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made.apply(CHARGE))
                .satisfies(e -> assertThat(e.getMessage()).contains(named));
    }

    @Test
    void what_was_not_chosen_follows_what_was() {
        assertThat(CHARGE.settings().patience()).hasSeconds(2);
        assertThat(CHARGE.lease(Duration.ofMillis(100), Duration.ofSeconds(1))
                        .settings()
                        .patience())
                .hasSeconds(1);
        assertThat(CHARGE.keepFor(Duration.ofMillis(500)).settings().patience()).hasMillis(500);
        assertThat(CHARGE.rejectDuplicates("no").settings().patience()).isZero();
    }

    @Test
    void an_operation_is_left_as_it_was_by_its_changed_copies() {
        CHARGE.keepFor(RetentionPresets.PAYMENT);
        assertThat(CHARGE.settings().keep).isEqualTo(RetentionPresets.DEFAULT);
    }

    @Test
    void the_most_derived_class_that_is_named_decides() {
        OperationPolicy policy =
                CHARGE.retryOn(Exception.class).failOn(IOException.class).settings();
        assertThat(policy.fatal(new java.io.FileNotFoundException())).isTrue();
        assertThat(policy.retryable(new IllegalStateException())).isTrue();
        assertThat(policy.retryable(new Error())).isFalse();
    }

    @Test
    void the_works_word_that_nothing_happened_is_never_a_final_failure() {
        assertThat(CHARGE.failOn(RuntimeException.class).settings().fatal(new NotExecutedException("closed", null)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-charge", "a\nb", "名前", "shadow:charge"})
    void a_name_that_does_not_fit_everywhere_or_is_taken_is_refused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operation.of(name))
                .withMessageContaining("operation name");
    }

    @Test
    void a_type_reference_needs_its_argument() {
        @SuppressWarnings("rawtypes")
        class Raw extends TypeRef {}
        assertThatIllegalArgumentException().isThrownBy(Raw::new).withMessageContaining("type argument");
        assertThat(Operation.of("list", new TypeRef<List<String>>() {}).type())
                .hasToString("java.util.List<java.lang.String>");
    }
}
