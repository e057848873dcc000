package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.Change;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.UpdateResult;
import io.onefold.store.contract.FaultyStore.FaultMoment;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Owners that fall silent while their work goes on. */
@Tag("invariant-6")
abstract class EngineLeaseCases extends EngineCases {
    private final String key = "key-" + UUID.randomUUID();

    EngineLeaseCases(StoreContract contract) {
        super(contract);
    }

    private Operation<String> brief() {
        return operation().lease(LEASE).waitFor(Duration.ZERO);
    }

    /** An owner whose renewals never arrive. */
    private RunningCall silentOwner(Operation<String> operation) {
        FaultyStore silent = faultyStore();
        silent.fail(Change.Renew.class, FaultMoment.BEFORE, FaultyStore.ALWAYS);
        RunningCall owner = begin(engine(silent, builder -> builder), operation, Key.of(key));
        fixture().pass(LEASE);
        return owner;
    }

    @Test
    void when_the_lease_is_over_the_outcome_is_unknown_and_nothing_runs_again() throws Exception {
        RunningCall owner = silentOwner(brief());
        assertThat(engine().attempt(brief(), Key.of(key), never())).isInstanceOf(Outcome.Unknown.class);
        assertThat(engine().attempt(brief(), Key.of(key), never())).isInstanceOf(Outcome.Unknown.class);
        assertThat(status(key)).isEqualTo(Status.UNKNOWN);
        owner.end();
        assertThat(runs).hasValue(1);
    }

    @Test
    void the_late_result_of_a_lost_owner_settles_the_doubt() throws Exception {
        RunningCall owner = silentOwner(brief());
        assertThat(engine().attempt(brief(), Key.of(key), never())).isInstanceOf(Outcome.Unknown.class);
        executed(owner.end(), "from attempt 1");
        replays(engine().attempt(brief(), Key.of(key), never()), "from attempt 1");
    }

    @Test
    void the_late_word_of_a_lost_owner_that_nothing_was_carried_out_frees_the_key() throws Exception {
        Operation<String> operation = brief().retryOn(IOException.class);
        RunningCall owner = silentOwner(operation);
        assertThat(engine().attempt(operation, Key.of(key), never())).isInstanceOf(Outcome.Unknown.class);
        IOException nothing = new IOException("nobody was reached");
        assertThatThrownBy(() -> owner.end(nothing)).isSameAs(nothing).hasNoSuppressedExceptions();
        executed(engine().attempt(operation, Key.of(key), attempt -> "attempt " + attempt.number()), "attempt 2");
        replays(engine().attempt(operation, Key.of(key), never()), "attempt 2");
    }

    @Test
    void the_late_failure_of_a_lost_owner_settles_the_doubt() throws Exception {
        Operation<String> operation = brief().failOn(IllegalArgumentException.class);
        RunningCall owner = silentOwner(operation);
        assertThat(engine().attempt(operation, Key.of(key), never())).isInstanceOf(Outcome.Unknown.class);
        IllegalArgumentException no = new IllegalArgumentException("no such account");
        assertThatThrownBy(() -> owner.end(no)).isSameAs(no).hasNoSuppressedExceptions();
        assertThat(engine().attempt(operation, Key.of(key), never())).isInstanceOf(Outcome.Failed.class);
    }

    @Test
    @Tag("invariant-2")
    void the_late_word_of_an_owner_who_was_overruled_is_refused_and_it_is_told() throws Exception {
        Operation<String> operation = brief().retryOn(IOException.class);
        RunningCall owner = silentOwner(operation);
        assertThat(engine().attempt(operation, Key.of(key), never())).isInstanceOf(Outcome.Unknown.class);
        StoredRecord unknown = Objects.requireNonNull(record(key));
        ResultPayload done = new ResultPayload(ResultPayload.Kind.NOTHING, "", 0, null, new byte[0]);
        Change settled = new Change.Settle(
                UUID.randomUUID(), Status.SUCCESS, done, RetentionPeriod.of(Duration.ofHours(1)), false);
        assertThat(fixture().store().update(unknown.ticket(), settled)).isEqualTo(UpdateResult.APPLIED);
        IOException nothing = new IOException("nobody was reached");
        assertThatThrownBy(() -> owner.end(nothing)).isSameAs(nothing);
        assertThat(nothing.getSuppressed()).singleElement().isInstanceOf(StoreException.class);
        assertThat(status(key)).isEqualTo(Status.SUCCESS);
    }

    @Test
    @Tag("invariant-2")
    void what_is_safe_to_repeat_is_taken_over_and_the_lost_owner_is_told() throws Exception {
        Operation<String> operation = brief().safeToRepeat();
        RunningCall owner = silentOwner(operation);
        Outcome<String> second = engine().attempt(
                        operation,
                        Key.of(key),
                        attempt -> attempt.number() + " "
                                + (attempt.fence() > owner.attempt().fence()));
        executed(second, "2 true");
        assertThat(owner.end()).isEqualTo(new Outcome.Overtaken<>("from attempt 1"));
        replays(engine().attempt(operation, Key.of(key), never()), "2 true");
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_child_key_is_the_same_in_every_attempt() throws Exception {
        Operation<String> operation = brief().safeToRepeat();
        RunningCall owner = silentOwner(operation);
        Outcome<String> second = engine().attempt(operation, Key.of(key), attempt -> attempt.childKey("psp"));
        executed(second, owner.attempt().childKey("psp"));
        owner.end();
    }

    @Test
    void an_owner_learns_that_its_lease_is_lost() throws Exception {
        RunningCall owner = silentOwner(brief());
        eventually("the lease is lost", () -> owner.attempt().leaseLost());
        owner.end();
    }

    @Test
    void an_owner_that_is_heard_of_keeps_its_lease() throws Exception {
        // long enough for a busy machine to come to its renewal in time
        Duration lease = LEASE.multipliedBy(6);
        RunningCall owner = begin(operation().lease(lease), Key.of(key));
        long first = Objects.requireNonNull(record(key)).times().updatedAt();
        fixture().pass(lease.dividedBy(3));
        eventually(
                "the lease is renewed",
                () -> Objects.requireNonNull(record(key)).times().updatedAt() > first);
        assertThat(owner.attempt().leaseLost()).isFalse();
        executed(owner.end(), "from attempt 1");
    }

    @Test
    @Tag("invariant-2")
    void a_persons_word_overrules_the_owner() throws Exception {
        RunningCall owner = begin(operation(), Key.of(key));
        StoredRecord record = Objects.requireNonNull(record(key));
        Change free =
                new Change.Settle(UUID.randomUUID(), Status.FREE, null, RetentionPeriod.of(Duration.ofHours(1)), true);
        assertThat(fixture().store().update(record.ticket(), free)).isEqualTo(UpdateResult.APPLIED);
        assertThat(owner.end()).isEqualTo(new Outcome.Overtaken<>("from attempt 1"));
        assertThat(status(key)).isEqualTo(Status.FREE);
        executed(engine().attempt(operation(), Key.of(key), attempt -> "attempt " + attempt.number()), "attempt 1");
    }

    @Test
    void a_waiter_hears_that_the_owner_was_lost() throws Exception {
        Operation<String> patient = operation().lease(LEASE).waitFor(Duration.ofSeconds(20));
        FaultyStore silent = faultyStore();
        silent.fail(Change.Renew.class, FaultMoment.BEFORE, FaultyStore.ALWAYS);
        RunningCall owner = begin(engine(silent, builder -> builder), patient, Key.of(key));
        RunningCall waiter = waiting(patient, Key.of(key));
        eventually("the waiter waits", () -> store().subscriptions() > 0);
        fixture().pass(LEASE);
        assertThat(waiter.answer()).isInstanceOf(Outcome.Unknown.class);
        owner.end();
        assertThat(runs).hasValue(1);
    }
}
