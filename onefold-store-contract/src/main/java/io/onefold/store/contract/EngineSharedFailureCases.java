package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.AttemptFailedException;
import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.WorkNotStartedException;
import io.onefold.store.Change;
import io.onefold.store.contract.FaultyStore.FaultMoment;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Calls that wait for an attempt and hear its failure, instead of running the work one after the other. */
abstract class EngineSharedFailureCases extends EngineCases {
    private final Key key = key();

    EngineSharedFailureCases(StoreContract contract) {
        super(contract);
    }

    private Operation<String> sharing() {
        return operation()
                .waitFor(Duration.ofSeconds(30))
                .retryOn(IOException.class)
                .waitersShareFailure();
    }

    /** A call on a node of its own that certainly waits. */
    private RunningCall waitingElsewhere(Operation<String> operation) {
        FaultyStore store = faultyStore();
        return waitingOn(engine(store, builder -> builder), store, operation);
    }

    private RunningCall waitingOn(EngineCaller engine, FaultyStore store, Operation<String> operation) {
        RunningCall waiter = new RunningCall(engine, operation, key);
        eventually("the call waits", () -> store.subscriptions() == 1);
        return waiter;
    }

    @Test
    void a_waiter_hears_what_the_attempt_threw_and_runs_nothing() throws Exception {
        RunningCall owner = begin(sharing(), key);
        RunningCall waiter = waitingOn(engine(), store(), sharing());
        IOException failure = new IOException("no");
        assertThatThrownBy(() -> owner.end(failure)).isSameAs(failure);
        Outcome<String> heard = waiter.answer();
        assertThat(heard).isEqualTo(new Outcome.AttemptFailed<>(failure));
        assertThatThrownBy(heard::orThrow)
                .isInstanceOf(AttemptFailedException.class)
                .hasCause(failure);
        assertThat(runs).hasValue(1);
    }

    @Test
    void waiters_on_other_nodes_hear_that_the_attempt_failed_and_run_nothing() throws Exception {
        RunningCall owner = begin(sharing(), key);
        List<RunningCall> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            waiters.add(waitingElsewhere(sharing()));
        }
        assertThatThrownBy(() -> owner.end(new IOException("no"))).isInstanceOf(IOException.class);
        for (RunningCall waiter : waiters) {
            assertThat(waiter.answer()).isEqualTo(new Outcome.AttemptFailed<>(null));
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_call_that_comes_after_the_failure_runs() throws Exception {
        RunningCall owner = begin(sharing(), key);
        RunningCall waiter = waitingElsewhere(sharing());
        assertThatThrownBy(() -> owner.end(new IOException("no"))).isInstanceOf(IOException.class);
        waiter.answer();
        executed(engine().attempt(sharing(), key, attempt -> "attempt " + attempt.number()), "attempt 2");
        replays(engine().attempt(sharing(), key, never()), "attempt 2");
    }

    @Test
    void a_waiter_for_a_later_attempt_hears_nothing_of_an_earlier_one() throws Exception {
        assertThatThrownBy(() -> begin(sharing(), key).end(new IOException("no")))
                .isInstanceOf(IOException.class);
        RunningCall owner = begin(sharing(), key);
        RunningCall here = waitingOn(engine(), store(), sharing());
        RunningCall elsewhere = waitingElsewhere(sharing());
        executed(owner.end(), "from attempt 2");
        replays(here.answer(), "from attempt 2");
        replays(elsewhere.answer(), "from attempt 2");
    }

    @Test
    void a_waiter_runs_if_the_attempt_was_not_begun() throws Exception {
        RunningCall owner = begin(sharing(), key);
        RunningCall waiter = waitingElsewhere(sharing());
        assertThatThrownBy(() -> owner.end(new WorkNotStartedException("refused", null)))
                .isInstanceOf(WorkNotStartedException.class);
        executed(waiter.end(), "from attempt 1");
    }

    @Test
    @Tag("invariant-6")
    void a_waiter_hears_that_the_outcome_of_a_lost_owner_is_unknown() throws Exception {
        Operation<String> brief = sharing().lease(LEASE);
        FaultyStore silent = faultyStore();
        silent.fail(Change.Renew.class, FaultMoment.BEFORE, FaultyStore.ALWAYS);
        RunningCall owner = begin(engine(silent, builder -> builder), brief, key);
        RunningCall waiter = waiting(brief, key);
        fixture().pass(LEASE);
        assertThat(waiter.answer()).isInstanceOf(Outcome.Unknown.class);
        owner.end();
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_waiter_with_another_payload_runs_where_payloads_overwrite() throws Exception {
        Operation<String> overwriting = sharing().overwrite();
        RunningCall owner = begin(overwriting, engine().key("overwritten-" + name, "one"));
        RunningCall waiter = new RunningCall(engine(), overwriting, engine().key("overwritten-" + name, "two"));
        eventually("the call waits", () -> store().subscriptions() == 1);
        assertThatThrownBy(() -> owner.end(new IOException("no"))).isInstanceOf(IOException.class);
        executed(waiter.end(), "from attempt 1");
    }

    @Test
    void a_waiter_hears_of_a_conflict_if_another_payload_has_failed_in_the_place_of_its_own() throws Exception {
        String value = "replaced-" + name;
        RunningCall owner = begin(sharing(), engine().key(value, "one"));
        FaultyStore store = faultyStore();
        RunningCall waiter = new RunningCall(engine(store, builder -> builder), sharing(), engine().key(value, "one"));
        eventually("the call waits", () -> store.subscriptions() == 1);
        store.holdClaims();
        assertThatThrownBy(() -> owner.end(new WorkNotStartedException("refused", null)))
                .isInstanceOf(WorkNotStartedException.class);
        RunningCall other = begin(sharing(), engine().key(value, "two"));
        assertThatThrownBy(() -> other.end(new IOException("no"))).isInstanceOf(IOException.class);
        store.heal();
        assertThat(waiter.answer()).isInstanceOf(Outcome.Conflict.class);
        assertThat(runs).hasValue(2);
    }
}
