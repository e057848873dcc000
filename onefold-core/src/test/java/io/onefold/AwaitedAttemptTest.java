package io.onefold;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.Fingerprinter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a record says of the attempt that a call waits for. */
class AwaitedAttemptTest {
    private static final Operation<Void> SHARING = Operation.of("pay").waitersShareFailure();
    private static final StoredRecord SECOND = record(Status.PROCESSING, 20, 2);

    private static StoredRecord record(Status status, long fence, int attempts) {
        return new StoredRecord(
                RecordId.of("", "pay", "1"),
                status,
                new UUID(fence, attempts),
                fence,
                attempts,
                new StoredRecord.RecordTimes(1, 1, 100, 100, 100),
                new StoredRecord.RecordFingerprints(null, null, List.of()),
                null,
                null,
                null);
    }

    private static AwaitedAttempt awaited(Operation<?> operation) {
        return new AwaitedAttempt(operation.settings(), new PayloadComparison(FingerprintKeys.none(), null));
    }

    /** Of a call that began to wait when the record was this. */
    private static AwaitedAttempt since(Operation<?> operation, @Nullable StoredRecord committed, long now) {
        AwaitedAttempt awaited = awaited(operation);
        awaited.since(committed == null ? null : new RecordSnapshot(committed, now));
        return awaited;
    }

    private static AwaitedAttempt second(Operation<?> operation) {
        return since(operation, SECOND, 1);
    }

    @Test
    void it_has_failed_if_its_record_is_free_and_its_attempt_counts() {
        assertThat(second(SHARING).hasFailed(record(Status.FREE, 20, 2))).isTrue();
        assertThat(second(SHARING).hasFailed(record(Status.FREE, 20, 1)))
                .as("not begun")
                .isFalse();
        assertThat(second(SHARING).hasFailed(record(Status.FREE, 30, 0)))
                .as("freed by a person")
                .isFalse();
        assertThat(second(SHARING).hasFailed(SECOND)).as("in progress").isFalse();
        for (Status status : List.of(Status.SUCCESS, Status.FAILED, Status.UNKNOWN)) {
            assertThat(second(SHARING).hasFailed(record(status, 20, 2)))
                    .as("its record answers")
                    .isFalse();
        }
    }

    @Test
    void it_has_failed_if_another_attempt_that_followed_it_has() {
        assertThat(second(SHARING).hasFailed(record(Status.FREE, 30, 3))).isTrue();
        assertThat(second(SHARING).hasFailed(record(Status.FREE, 30, 2)))
                .as("in its place, since it was not begun")
                .isTrue();
        assertThat(second(SHARING).hasFailed(record(Status.PROCESSING, 30, 3)))
                .as("in progress, and awaited from here on")
                .isFalse();
    }

    @Test
    void what_began_after_the_call_waits_is_awaited_and_what_failed_before_is_not() {
        assertThat(since(SHARING, null, 1).hasFailed(record(Status.FREE, 5, 1)))
                .as("a first attempt")
                .isTrue();
        StoredRecord before = record(Status.FREE, 10, 1);
        assertThat(since(SHARING, before, 1).hasFailed(before))
                .as("the attempt before")
                .isFalse();
        assertThat(since(SHARING, before, 1).hasFailed(record(Status.FREE, 11, 1)))
                .as("an attempt that was not begun")
                .isFalse();
        assertThat(since(SHARING, before, 1).hasFailed(record(Status.FREE, 11, 2)))
                .isTrue();
        assertThat(since(SHARING, before, 100).hasFailed(record(Status.FREE, 11, 1)))
                .as("a first attempt in the place of what is gone")
                .isTrue();
    }

    @Test
    void its_failure_is_told_and_not_that_of_one_which_was_taken_over() {
        Waiters waiters = new Waiters(1, 1, null);
        Waiters.Waiter place = Objects.requireNonNull(waiters.enter(SECOND.id()));
        AwaitedAttempt awaited = second(SHARING);
        awaited.entered(place);
        waiters.failed(SECOND.id(), new Waiters.SharedFailure(new IllegalStateException("the first"), null, 10));
        assertThat(awaited.failure()).isNull();
        IllegalStateException failure = new IllegalStateException("the second");
        waiters.failed(SECOND.id(), new Waiters.SharedFailure(failure, null, 20));
        assertThat(awaited.failure()).isSameAs(failure);
        place.leave();
    }

    @Test
    void an_attempt_at_another_payload_is_not_the_awaited_one() {
        FingerprintKeys keys = FingerprintKeys.none();
        Fingerprinter fingerprinter = Fingerprinter.standard();
        Waiters waiters = new Waiters(1, 1, null);
        Waiters.Waiter place = Objects.requireNonNull(waiters.enter(SECOND.id()));
        AwaitedAttempt awaited =
                new AwaitedAttempt(SHARING.settings(), new PayloadComparison(keys, fingerprinter.value("one")));
        awaited.since(null);
        awaited.entered(place);
        byte[] other = keys.stored(fingerprinter.value("two"));
        waiters.failed(SECOND.id(), new Waiters.SharedFailure(new IllegalStateException("two"), other, Long.MAX_VALUE));
        assertThat(awaited.failure()).isNull();
        byte[] own = keys.stored(fingerprinter.value("one"));
        waiters.failed(SECOND.id(), new Waiters.SharedFailure(new IllegalStateException("one"), own, Long.MAX_VALUE));
        assertThat(awaited.failure()).hasMessage("one");
        place.leave();
    }

    @Test
    void only_the_beginning_of_the_wait_counts() {
        AwaitedAttempt awaited = second(SHARING);
        awaited.since(new RecordSnapshot(record(Status.PROCESSING, 30, 3), 1));
        assertThat(awaited.hasFailed(record(Status.FREE, 30, 2)))
                .as("the awaited attempt, though the next was not begun")
                .isTrue();
    }

    @Test
    void nobody_hears_a_failure_that_did_not_wait_or_whose_operation_does_not_share_it() {
        StoredRecord failed = record(Status.FREE, 20, 2);
        assertThat(awaited(SHARING).hasFailed(failed)).isFalse();
        assertThat(second(Operation.of("pay")).hasFailed(failed)).isFalse();
        assertThat(second(SHARING.overwrite()).hasFailed(failed)).isFalse();
    }
}
