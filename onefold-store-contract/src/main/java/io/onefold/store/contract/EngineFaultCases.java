package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.NotExecutedException;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.contract.FaultyStore.FaultMoment;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that fails, before a step or after it: nothing runs twice, and no success is forgotten. */
@Tag("invariant-28")
abstract class EngineFaultCases extends EngineCases {
    EngineFaultCases(StoreContract contract) {
        super(contract);
    }

    @ParameterizedTest
    @EnumSource(FaultMoment.class)
    @Tag("invariant-14")
    void a_claim_that_fails_is_repeated_and_the_work_runs_once(FaultMoment when) throws Exception {
        store().fail(Claim.class, when, 2);
        Key key = key();
        executed(attempt(operation(), key), "done");
        replays(engine().attempt(operation(), key, never()), "done");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(FaultMoment.class)
    @Tag("invariant-27")
    void without_an_answer_to_the_claim_the_work_does_not_run_and_no_claim_stays(FaultMoment when) throws Exception {
        store().fail(Claim.class, when, FaultyStore.ALWAYS);
        Key key = key();
        assertThatThrownBy(() -> engine().attempt(operation(), key, never())).isInstanceOf(StoreException.class);
        store().heal();
        executed(attempt(operation().waitFor(Duration.ofSeconds(10)), key), "done");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(FaultMoment.class)
    @Tag("invariant-4")
    void a_result_that_the_store_did_not_hear_is_told_again(FaultMoment when) throws Exception {
        store().fail(Change.Complete.class, when, 2);
        String key = "key-" + name;
        executed(attempt(operation(), Key.of(key)), "done");
        assertThat(status(key)).isEqualTo(Status.SUCCESS);
        replays(engine().attempt(operation(), Key.of(key), never()), "done");
    }

    @Test
    @Tag("invariant-4")
    void a_success_that_cannot_be_recorded_is_still_a_success_and_never_released() throws Exception {
        store().fail(Change.Complete.class, FaultMoment.BEFORE, FaultyStore.ALWAYS);
        Operation<String> operation = operation().lease(LEASE).waitFor(Duration.ZERO);
        String key = "key-" + name;
        RunningCall owner = begin(operation, Key.of(key));
        Outcome<String> outcome = owner.end();
        assertThat(outcome).isEqualTo(new Outcome.Executed<>("from attempt 1", false));
        assertThat(System.nanoTime() - owner.calledAt())
                .as("not before the lease is over")
                .isGreaterThanOrEqualTo(LEASE.toNanos());
        assertThat(status(key)).isIn(Status.PROCESSING, Status.UNKNOWN);

        assertThat(engine().attempt(operation, Key.of(key), never()))
                .isInstanceOfAny(Outcome.InProgress.class, Outcome.Unknown.class);
        store().heal();
        eventually("the store hears of it in the end", () -> status(key) == Status.SUCCESS);
        // a copy of the record may follow a moment later: who waits meets it
        replays(engine().attempt(operation.waitFor(Duration.ofSeconds(2)), Key.of(key), never()), "from attempt 1");
    }

    @ParameterizedTest
    @EnumSource(FaultMoment.class)
    void a_failure_that_the_store_did_not_hear_reaches_the_caller_and_is_recorded_later(FaultMoment when) {
        store().fail(Change.Release.class, when, 2);
        String key = "key-" + name;
        NotExecutedException thrown = new NotExecutedException("nothing happened", null);
        assertThatThrownBy(() -> engine().attempt(operation(), Key.of(key), attempt -> {
                    throw thrown;
                }))
                .isSameAs(thrown);
        eventually("released", () -> status(key) == Status.FREE);
    }
}
