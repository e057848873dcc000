package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.WorkNotStartedException;
import io.onefold.store.Change;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same key with another payload, noticed in every state and before anything else. */
@Tag("invariant-10")
abstract class EngineConflictCases extends EngineCases {
    private final String key = "key-" + UUID.randomUUID();

    EngineConflictCases(StoreContract contract) {
        super(contract);
    }

    private Key first() {
        return engine().key(key, Map.of("amount", 10, "to", "alice"));
    }

    private Key second() {
        return engine().key(key, Map.of("amount", 11, "to", "alice"));
    }

    private void conflicts(Operation<String> operation) throws Exception {
        assertThat(engine().attempt(operation, second(), never())).isEqualTo(new Outcome.Conflict<>(List.of("amount")));
    }

    @Test
    void a_conflict_names_the_fields_that_differ() throws Exception {
        executed(attempt(operation(), first()), "done");
        conflicts(operation());
        replays(engine().attempt(operation(), first(), never()), "done");
    }

    @Test
    void a_conflict_wins_over_in_progress() throws Exception {
        RunningCall running = begin(operation(), first());
        conflicts(operation().waitFor(Duration.ZERO));
        conflicts(operation());
        executed(running.end(), "from attempt 1");
    }

    @Test
    void a_conflict_wins_over_a_kept_failure() throws Exception {
        Operation<String> operation = operation().failOn(IllegalStateException.class);
        throwing(operation, new IllegalStateException("no"));
        conflicts(operation);
    }

    @Test
    void a_conflict_wins_over_another_attempt() throws Exception {
        Operation<String> operation = operation().retryOn(IllegalStateException.class);
        throwing(operation, new IllegalStateException("later"));
        conflicts(operation);
    }

    @Test
    void a_conflict_wins_over_an_unknown_outcome() throws Exception {
        throwing(operation(), new IllegalStateException("?"));
        conflicts(operation());
        conflicts(operation().safeToRepeat());
    }

    @Test
    void a_conflict_wins_over_a_lease_that_is_over() throws Exception {
        FaultyStore silent = faultyStore();
        silent.fail(Change.Renew.class, FaultyStore.FaultMoment.BEFORE, FaultyStore.ALWAYS);
        Operation<String> operation = operation().lease(LEASE).safeToRepeat();
        RunningCall lost = begin(engine(silent, builder -> builder), operation, first());
        fixture().pass(LEASE);
        conflicts(operation);
        lost.end();
    }

    @Test
    void a_corrected_payload_takes_the_place_of_one_whose_work_never_began() throws Exception {
        throwing(operation(), new WorkNotStartedException("refused before the work", null));
        executed(engine().attempt(operation(), second(), returning("corrected")), "corrected");
        assertThat(engine().attempt(operation(), first(), never())).isInstanceOf(Outcome.Conflict.class);
        replays(engine().attempt(operation(), second(), never()), "corrected");
    }

    @Test
    void a_conflict_wins_over_an_attempt_that_never_began_after_one_that_did() throws Exception {
        Operation<String> operation = operation().retryOn(IllegalStateException.class);
        throwing(operation, new IllegalStateException("later"));
        throwing(operation, new WorkNotStartedException("refused before the work", null));
        conflicts(operation);
    }

    private void throwing(Operation<String> operation, RuntimeException failure) {
        assertThatThrownBy(() -> engine().attempt(operation, first(), attempt -> {
                    throw failure;
                }))
                .isSameAs(failure);
    }

    static Stream<Arguments> different() {
        String long1 = "x".repeat(200_000);
        return Stream.of(
                Arguments.of(List.of("a,b", "c"), List.of("a", "b,c")),
                Arguments.of(List.of("a|b"), List.of("a", "b")),
                Arguments.of(Map.of("a", "1&b=2"), Map.of("a", "1", "b", "2")),
                Arguments.of("1", 1),
                Arguments.of(9_007_199_254_740_993L, 9_007_199_254_740_992L),
                Arguments.of(new BigDecimal("0.10000000000000000001"), new BigDecimal("0.1")),
                Arguments.of(long1 + "a", long1 + "b"),
                Arguments.of("", " "),
                Arguments.of(List.of(), List.of(List.of())));
    }

    @ParameterizedTest
    @MethodSource("different")
    void payloads_that_differ_anywhere_conflict(Object one, Object other) throws Exception {
        executed(engine().attempt(operation(), engine().key(key, one), returning("done")), "done");
        assertThat(engine().attempt(operation(), engine().key(key, other), never()))
                .isInstanceOf(Outcome.Conflict.class);
    }

    @Test
    void payloads_that_are_equal_replay_whatever_their_notation() throws Exception {
        executed(attempt(operation(), engine().key(key, Map.of("a", 1, "b", new BigDecimal("2.50")))), "done");
        Map<String, Object> same = new LinkedHashMap<>();
        same.put("b", new BigDecimal("2.5"));
        same.put("a", 1L);
        replays(engine().attempt(operation(), engine().key(key, same), never()), "done");
    }
}
