package io.onefold;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.payload.FingerprintKeys;
import io.onefold.payload.Fingerprinter;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
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
                new StoredRecord.Times(1, 1, 100, 100, 100),
                new StoredRecord.Prints(null, null, List.of()),
                null,
                null,
                null);
    }

    private static AwaitedAttempt awaited(Operation<?> operation) {
        return new AwaitedAttempt(operation.settings(), new Comparison(FingerprintKeys.none(), null));
    }

    private static AwaitedAttempt second(Operation<?> operation) {
        AwaitedAttempt awaited = awaited(operation);
        awaited.is(SECOND);
        return awaited;
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
    void it_has_failed_if_another_attempt_followed_it() {
        assertThat(second(SHARING).hasFailed(record(Status.FREE, 30, 3)))
                .as("which has failed, too")
                .isTrue();
        assertThat(second(SHARING).hasFailed(record(Status.PROCESSING, 30, 3)))
                .as("which is in progress")
                .isTrue();
        assertThat(second(SHARING).hasFailed(record(Status.PROCESSING, 30, 2)))
                .as("in its place, since it was not begun")
                .isFalse();
        assertThat(second(SHARING.safeToRepeat()).hasFailed(record(Status.PROCESSING, 30, 3)))
                .as("perhaps since it was lost")
                .isFalse();
    }

    @Test
    void one_that_may_have_been_taken_over_has_failed_if_a_later_one_counts() {
        AwaitedAttempt second = second(SHARING.safeToRepeat());
        assertThat(second.hasFailed(record(Status.FREE, 20, 2)))
                .as("its own end")
                .isTrue();
        assertThat(second.hasFailed(record(Status.FREE, 30, 2)))
                .as("whoever took over did not begin")
                .isFalse();
        assertThat(second.hasFailed(record(Status.FREE, 30, 3))).isTrue();
    }

    @Test
    void a_mark_at_a_front_says_nothing_but_an_attempt_that_failed_here_does() {
        Waiters waiters = new Waiters(1, 1, null);
        Waiters.Waiter place = Objects.requireNonNull(waiters.enter(SECOND.id()));
        AwaitedAttempt awaited = awaited(SHARING);
        awaited.is(record(Status.PROCESSING, 0, 0));
        awaited.entered(place);
        assertThat(awaited.hasFailed(record(Status.FREE, 20, 2))).isFalse();
        waiters.failed(SECOND.id(), new Waiters.Failure(new IllegalStateException("an earlier one"), null, 10));
        assertThat(awaited.hasFailed(record(Status.FREE, 20, 2))).isFalse();
        IllegalStateException failure = new IllegalStateException("the awaited one");
        waiters.failed(SECOND.id(), new Waiters.Failure(failure, null, 20));
        assertThat(awaited.hasFailed(record(Status.FREE, 20, 2))).isTrue();
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
                new AwaitedAttempt(SHARING.settings(), new Comparison(keys, fingerprinter.value("one")));
        awaited.isTransaction(null, 1);
        awaited.entered(place);
        byte[] other = keys.stored(fingerprinter.value("two"));
        waiters.failed(SECOND.id(), new Waiters.Failure(new IllegalStateException("two"), other, Long.MAX_VALUE));
        assertThat(awaited.failure()).isNull();
        byte[] own = keys.stored(fingerprinter.value("one"));
        waiters.failed(SECOND.id(), new Waiters.Failure(new IllegalStateException("one"), own, Long.MAX_VALUE));
        assertThat(awaited.failure()).hasMessage("one");
        place.leave();
    }

    @Test
    void a_transaction_has_failed_if_its_failure_was_counted() {
        AwaitedAttempt first = awaited(SHARING);
        first.isTransaction(null, 1);
        assertThat(first.hasFailed(record(Status.FREE, 5, 1))).isTrue();

        AwaitedAttempt second = awaited(SHARING);
        StoredRecord before = record(Status.FREE, 10, 1);
        second.isTransaction(new Seen(before, 1), 2);
        assertThat(second.hasFailed(before)).as("of the attempt before").isFalse();
        assertThat(second.hasFailed(record(Status.FREE, 11, 2))).isTrue();
    }

    @Test
    void nobody_hears_a_failure_that_did_not_wait_or_whose_operation_does_not_share_it() {
        StoredRecord failed = record(Status.FREE, 20, 2);
        assertThat(awaited(SHARING).hasFailed(failed)).isFalse();
        assertThat(second(Operation.of("pay")).hasFailed(failed)).isFalse();
        assertThat(second(SHARING.overwrite()).hasFailed(failed)).isFalse();
    }
}
