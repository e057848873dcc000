package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.NotExecutedException;
import io.onefold.Operation;
import io.onefold.OperationFailedException;
import io.onefold.Outcome;
import io.onefold.WorkNotStartedException;
import io.onefold.store.Status;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Work that fails: its exception reaches the caller as it is, and the record says what may follow. */
@Tag("invariant-28")
abstract class EngineFailureCases extends EngineCases {
    EngineFailureCases(StoreContract contract) {
        super(contract);
    }

    static Stream<Arguments> endings() {
        return Stream.of(
                Arguments.of(new IOException("try later"), Status.FREE),
                Arguments.of(new IllegalArgumentException("no"), Status.FAILED),
                Arguments.of(new NotExecutedException("nothing happened", null), Status.FREE),
                Arguments.of(new WorkNotStartedException("refused", new IOException()), Status.FREE),
                Arguments.of(new IllegalStateException("who knows"), Status.UNKNOWN),
                Arguments.of(new Exception("who knows"), Status.UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void an_exception_reaches_the_caller_unwrapped_and_ends_the_record(Exception thrown, Status status) {
        String key = "key-" + name;
        assertThatThrownBy(() -> fails(key, thrown)).isSameAs(thrown);
        eventually("recorded", () -> status(key) == status);
    }

    private Operation<String> classified() {
        return operation().retryOn(IOException.class).failOn(IllegalArgumentException.class);
    }

    private Outcome<String> fails(String key, Exception thrown) throws Exception {
        return engine().attempt(classified(), Key.of(key), attempt -> {
            runs.incrementAndGet();
            throw thrown;
        });
    }

    @Test
    void what_was_not_begun_does_not_count_as_an_attempt() throws Exception {
        String key = "key-" + name;
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> fails(key, new WorkNotStartedException("refused", new IOException())))
                    .isInstanceOf(WorkNotStartedException.class);
        }
        Outcome<String> outcome = engine().attempt(classified(), Key.of(key), attempt -> "attempt " + attempt.number());
        executed(outcome, "attempt 1");
    }

    @Test
    void a_released_request_runs_again_as_its_second_attempt() throws Exception {
        String key = "key-" + name;
        assertThatThrownBy(() -> fails(key, new IOException("once"))).isInstanceOf(IOException.class);
        Outcome<String> outcome = engine().attempt(classified(), Key.of(key), attempt -> "attempt " + attempt.number());
        executed(outcome, "attempt 2");
        replays(engine().attempt(classified(), Key.of(key), never()), "attempt 2");
    }

    @Test
    void a_final_failure_is_told_to_every_duplicate_and_never_run_again() throws Exception {
        String key = "key-" + name;
        assertThatThrownBy(() -> fails(key, new IllegalArgumentException("no such account")))
                .isInstanceOf(IllegalArgumentException.class);
        for (int i = 0; i < 2; i++) {
            Outcome<String> outcome = engine().attempt(classified(), Key.of(key), never());
            assertThat(outcome).isInstanceOf(Outcome.Failed.class);
            assertThatThrownBy(outcome::orThrow)
                    .isInstanceOf(OperationFailedException.class)
                    .hasMessageContaining("no such account");
        }
    }

    @Test
    void an_unknown_outcome_is_never_run_again() throws Exception {
        String key = "key-" + name;
        assertThatThrownBy(() -> fails(key, new IllegalStateException("?"))).isInstanceOf(IllegalStateException.class);
        for (int i = 0; i < 2; i++) {
            assertThat(engine().attempt(classified(), Key.of(key), never())).isInstanceOf(Outcome.Unknown.class);
        }
    }

    @Test
    void a_failure_that_is_safe_to_repeat_frees_the_request() throws Exception {
        Operation<String> operation = operation().safeToRepeat();
        Key key = key();
        assertThatThrownBy(() -> engine().attempt(operation, key, attempt -> {
                    throw new IllegalStateException("?");
                }))
                .isInstanceOf(IllegalStateException.class);
        executed(engine().attempt(operation, key, attempt -> "attempt " + attempt.number()), "attempt 2");
    }

    @Test
    void attempts_are_limited() throws Exception {
        Operation<String> operation = classified().maxAttempts(3);
        Key key = key();
        for (int i = 1; i <= 3; i++) {
            assertThatThrownBy(() -> engine().attempt(operation, key, attempt -> {
                        throw new IOException("attempt " + attempt.number());
                    }))
                    .hasMessage("attempt " + i);
        }
        Outcome<String> outcome = engine().attempt(operation, key, never());
        assertThatThrownBy(outcome::orThrow).hasMessageContaining("attempt 3");
    }
}
