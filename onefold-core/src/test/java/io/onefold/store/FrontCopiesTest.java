package io.onefold.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.ManualTimer;
import io.onefold.store.Takeover.TakeoverReason;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What marks and copies at a front may say after the truth has moved on, and for how long. */
class FrontCopiesTest {
    private static final RecordId ID = RecordId.of("tenant", "op", "key");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final RetentionPeriod HOUR = RetentionPeriod.of(Duration.ofHours(1));
    private static final RetentionPeriod SHORT = RetentionPeriod.of(Duration.ofSeconds(10));

    private final ManualTimer timer = new ManualTimer();
    /** By how much the front's clock is ahead of the truth's, in microseconds. */
    private final AtomicLong ahead = new AtomicLong();

    private final CountedStore front = new CountedStore(newFront());
    private final CountedStore truth = new CountedStore(new MemoryStore(timer::micros));
    private final TieredStore one = TieredStore.over(front, truth, () -> "e1", timer::nanos);
    private final TieredStore other = TieredStore.over(front, truth, () -> "e1", timer::nanos);

    private static Claim claim(Duration lease) {
        return Claim.of(ID, UUID.randomUUID(), lease);
    }

    private static Ticket win(Store store, Claim claim) {
        ClaimResult claimed = store.claim(claim);
        assertThat(claimed).isInstanceOf(ClaimResult.Acquired.class);
        return new Ticket(ID, claim.owner(), ((ClaimResult.Acquired) claimed).fence());
    }

    private static StoredRecord meet(Store store) {
        ClaimResult claimed = store.claim(claim(LEASE));
        assertThat(claimed).isInstanceOf(RecordSnapshot.class);
        return ((RecordSnapshot) claimed).record();
    }

    private static Change.Complete done(String result, RetentionPeriod keep) {
        return new Change.Complete(
                new ResultPayload(ResultPayload.Kind.VALUE, "text", 1, null, result.getBytes(UTF_8)), keep);
    }

    private Store newFront() {
        return new MemoryStore(() -> timer.micros() + ahead.get());
    }

    private void flush() {
        front.store = newFront();
    }

    private void setBack(Duration by) {
        ahead.addAndGet(-RecordTransitions.micros(by));
    }

    /** Whether the truth is asked, too. */
    private boolean asksTruth(Runnable call) {
        int before = truth.steps.get();
        call.run();
        return truth.steps.get() > before;
    }

    @ParameterizedTest
    @CsvSource({"30, 5", "2, 2"})
    void a_claimant_that_dies_before_the_truth_is_asked_locks_nobody_out_beyond_its_lease_or_five_seconds(
            int lease, int seconds) {
        truth.before = () -> {
            throw new Died();
        };
        assertThatThrownBy(() -> one.claim(claim(Duration.ofSeconds(lease)))).isInstanceOf(Died.class);
        assertThat(meet(other).status()).as("its mark").isEqualTo(Status.PROCESSING);
        timer.pass(Duration.ofSeconds(seconds).minusMillis(1));
        assertThat(meet(other).status()).isEqualTo(Status.PROCESSING);
        timer.pass(Duration.ofMillis(1));
        win(other, claim(LEASE));
    }

    @Test
    void a_claim_whose_answer_was_lost_leaves_no_mark_and_recognises_itself() {
        Claim lost = claim(LEASE);
        truth.after = () -> {
            throw new StoreException("the answer was lost");
        };
        assertThatThrownBy(() -> one.claim(lost)).isInstanceOf(StoreException.class);
        assertThat(asksTruth(() -> assertThat(meet(other).owner()).isEqualTo(lost.owner())))
                .as("whether it stands is for the truth to say")
                .isTrue();
        Ticket ticket = win(one, lost);
        assertThat(one.update(ticket, done("once", HOUR))).isEqualTo(UpdateResult.APPLIED);
        assertThat(asksTruth(() -> assertThat(meet(other).status()).isEqualTo(Status.SUCCESS)))
                .isFalse();
    }

    @Test
    void who_asks_the_truth_of_what_runs_brings_a_copy_for_a_few_seconds() {
        win(one, claim(LEASE));
        timer.pass(Duration.ofSeconds(5));
        assertThat(asksTruth(() -> meet(other))).as("the mark is over").isTrue();
        assertThat(asksTruth(() -> meet(one))).isFalse();
        timer.pass(Duration.ofSeconds(5));
        assertThat(asksTruth(() -> meet(one))).as("the copy is over").isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = TakeoverReason.class,
            names = {"FREE", "LEASE_OVER", "EXPIRED"})
    void while_one_asks_the_truth_of_what_says_nothing_any_more_the_others_do_not(TakeoverReason grounds) {
        Ticket ticket = win(one, claim(LEASE));
        switch (grounds) {
            case FREE -> one.update(ticket, new Change.Release(HOUR));
            case EXPIRED -> one.update(ticket, done("once", SHORT));
            default -> {}
        }
        timer.pass(SHORT.duration());
        truth.before = () -> assertThat(asksTruth(() -> meet(other))).isFalse();
        assertThat(asksTruth(() -> meet(one))).isTrue();
    }

    @Test
    void who_asks_for_something_else_leaves_no_mark_of_it() {
        win(one, claim(LEASE));
        timer.pass(Duration.ofSeconds(5));
        Claim different = claim(LEASE).print(StoredFingerprint.of(() -> new byte[] {1}, () -> null));
        assertThat(asksTruth(() -> other.claim(different))).isTrue();
        assertThat(asksTruth(() -> other.claim(different)))
                .as("what runs is something else")
                .isTrue();
        assertThat(asksTruth(() -> meet(other))).isFalse();
    }

    @Test
    void a_front_that_was_not_told_of_the_end_says_busy_for_five_seconds_at_most() {
        Ticket ticket = win(one, claim(LEASE));
        timer.pass(Duration.ofSeconds(10));
        one.update(ticket, new Change.Renew(LEASE));
        assertThat(meet(other).status()).isEqualTo(Status.PROCESSING);
        front.failing = true;
        one.update(ticket, done("once", HOUR));
        front.failing = false;
        timer.pass(Duration.ofSeconds(5));
        assertThat(meet(other).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void a_lease_is_renewed_without_the_front() {
        Ticket ticket = win(one, claim(LEASE));
        int before = front.steps.get();
        one.update(ticket, new Change.Renew(LEASE));
        one.update(ticket, new Change.SaveCheckpoint(new byte[] {1}));
        assertThat(front.steps).hasValue(before);
    }

    @Test
    void duplicates_of_what_is_unknown_ask_the_truth_and_write_no_copy_again() {
        Ticket ticket = win(one, claim(LEASE));
        ResultPayload note = new ResultPayload(ResultPayload.Kind.NOTHING, "text", 1, null, new byte[0]);
        one.update(ticket, new Change.MarkUnknown(note, false));
        for (int i = 0; i < 3; i++) {
            int before = front.steps.get();
            assertThat(asksTruth(() -> assertThat(meet(other).status()).isEqualTo(Status.UNKNOWN)))
                    .isTrue();
            assertThat(front.steps).as("a look, and no copy").hasValue(before + 1);
        }
        truth.update(ticket, done("late", HOUR));
        assertThat(meet(other).status()).isEqualTo(Status.SUCCESS);
        assertThat(asksTruth(() -> assertThat(meet(other).status()).isEqualTo(Status.SUCCESS)))
                .as("what is no longer unknown is copied")
                .isFalse();
    }

    @Test
    void a_result_that_is_copied_late_does_not_answer_in_the_records_next_life() {
        Ticket first = win(one, claim(LEASE));
        truth.after = () -> {
            // the owner is paused: its record ends, another life begins, and the front forgets
            timer.pass(SHORT.duration());
            win(other, claim(LEASE).replacing(TakeoverReason.EXPIRED, meet(truth), List.of()));
            flush();
        };
        one.update(first, done("first", SHORT));
        assertThat(meet(other).status()).as("of the second life").isEqualTo(Status.PROCESSING);
    }

    @Test
    void a_result_that_is_read_late_does_not_answer_in_the_records_next_life() {
        one.update(win(one, claim(LEASE)), done("first", SHORT));
        flush();
        truth.after = () -> {
            timer.pass(SHORT.duration());
            win(other, claim(LEASE).replacing(TakeoverReason.EXPIRED, meet(truth), List.of()));
            flush();
        };
        assertThat(meet(one).status()).as("as it was when the truth was asked").isEqualTo(Status.SUCCESS);
        assertThat(meet(other).status()).as("of the second life").isEqualTo(Status.PROCESSING);
    }

    @Test
    void no_copy_outlives_its_record_however_late_it_is_made() {
        Ticket ticket = win(one, claim(LEASE));
        truth.after = () -> timer.pass(Duration.ofSeconds(9));
        one.update(ticket, done("once", SHORT));
        timer.pass(Duration.ofMillis(999));
        assertThat(asksTruth(() -> meet(other))).isFalse();
        timer.pass(Duration.ofMillis(1));
        assertThat(asksTruth(() -> meet(other))).isTrue();
    }

    @Test
    void that_it_runs_is_not_told_for_longer_because_it_was_copied_late() {
        Ticket ticket = win(one, claim(LEASE));
        timer.pass(Duration.ofSeconds(5));
        truth.after = () -> {
            timer.pass(Duration.ofSeconds(4));
            one.update(ticket, done("once", HOUR));
            flush();
        };
        assertThat(meet(other).status()).isEqualTo(Status.PROCESSING);
        timer.pass(Duration.ofSeconds(1));
        assertThat(meet(other).status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void an_end_that_the_truth_did_not_confirm_is_looked_up_when_it_is_told_again() {
        Ticket ticket = win(one, claim(LEASE));
        truth.after = () -> {
            throw new StoreException("the answer was lost");
        };
        assertThatThrownBy(() -> one.update(ticket, done("once", HOUR))).isInstanceOf(StoreException.class);
        assertThat(one.update(ticket, done("once", HOUR))).isEqualTo(UpdateResult.APPLIED);
        assertThat(asksTruth(() -> assertThat(meet(other).status()).isEqualTo(Status.SUCCESS)))
                .isFalse();
    }

    @Test
    void what_was_recorded_is_confirmed_even_if_it_cannot_be_looked_up_for_the_front() {
        Ticket ticket = win(one, claim(LEASE));
        truth.after = () -> truth.before = () -> {
            throw new IllegalStateException("unreadable");
        };
        ResultPayload note = new ResultPayload(ResultPayload.Kind.NOTHING, "text", 1, null, new byte[0]);
        assertThat(one.update(ticket, new Change.MarkUnknown(note, false))).isEqualTo(UpdateResult.APPLIED);
    }

    @Test
    void a_mark_of_a_clock_that_was_ahead_turns_nobody_away() {
        truth.before = () -> {
            throw new Died();
        };
        assertThatThrownBy(() -> one.claim(claim(LEASE))).isInstanceOf(Died.class);
        // a replica takes over whose clock is behind, or the clock is set back
        setBack(Duration.ofMinutes(10));
        win(other, claim(LEASE));
    }

    @Test
    void what_ran_when_the_clock_of_the_front_was_set_back_is_told_of_as_if_it_had_not() {
        Ticket ticket = win(one, claim(LEASE));
        setBack(Duration.ofMinutes(10));
        assertThat(asksTruth(() -> assertThat(meet(other).status()).isEqualTo(Status.PROCESSING)))
                .isTrue();
        assertThat(asksTruth(() -> assertThat(meet(other).status()).isEqualTo(Status.PROCESSING)))
                .as("the copy has a lease by the clock as it is now")
                .isFalse();
        truth.update(ticket, done("once", HOUR));
        timer.pass(Duration.ofSeconds(5));
        assertThat(meet(other).status()).isEqualTo(Status.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(longs = {-10, 10})
    void a_front_whose_clock_differs_from_the_truths_tells_as_much_for_as_long(long minutes) {
        setBack(Duration.ofMinutes(minutes));
        Ticket ticket = win(one, claim(LEASE));
        assertThat(asksTruth(() -> assertThat(meet(other).status()).isEqualTo(Status.PROCESSING)))
                .isFalse();
        one.update(ticket, done("once", SHORT));
        timer.pass(SHORT.duration().minusMillis(1));
        assertThat(asksTruth(() -> assertThat(meet(other).status()).isEqualTo(Status.SUCCESS)))
                .isFalse();
        timer.pass(Duration.ofMillis(1));
        assertThat(asksTruth(() -> meet(other))).isTrue();
    }

    @Test
    void a_mark_that_no_copy_can_replace_is_taken_away() {
        one.update(win(one, claim(LEASE)), new Change.Release(HOUR));
        // the truth comes back without its last records and with a clock that is behind, and nobody has said so
        truth.store = new MemoryStore(() -> timer.micros() - RecordTransitions.micros(Duration.ofHours(1)));
        one.update(win(one, claim(LEASE)), done("once", HOUR));
        timer.pass(Duration.ofSeconds(5));
        for (int i = 0; i < 3; i++) {
            assertThat(meet(other).status()).isEqualTo(Status.SUCCESS);
        }
    }

    @Test
    void a_lost_amendment_copies_nothing_of_the_attempt_that_came_after() {
        Ticket first = win(one, claim(LEASE).overwriting());
        one.update(first, done("first", SHORT));
        timer.pass(SHORT.duration());
        Claim again = claim(LEASE).overwriting().replacing(TakeoverReason.EXPIRED, meet(truth), List.of());
        truth.update(win(truth, again), done("not amended yet", HOUR));
        Change.Amend late = new Change.Amend(done("too late", HOUR).result(), HOUR);
        assertThat(one.update(first, late)).isEqualTo(UpdateResult.LOST);
        assertThat(other.known(ID)).isNull();
        NearCache near = NearCache.over(one, 16, timer::nanos);
        assertThat(near.update(first, late)).isEqualTo(UpdateResult.LOST);
        assertThat(near.known(ID)).isNull();
        assertThat(other.known(ID)).isNull();
    }

    /** What the truth makes of a finished record while a copy of it stays at a front. */
    private enum Later {
        OVERWRITTEN,
        OVERWRITTEN_IN_VAIN,
        BEING_OVERWRITTEN
    }

    @ParameterizedTest
    @CsvSource({
        "OVERWRITTEN, false", "OVERWRITTEN, true",
        "OVERWRITTEN_IN_VAIN, false", "OVERWRITTEN_IN_VAIN, true",
        "BEING_OVERWRITTEN, false", "BEING_OVERWRITTEN, true"
    })
    void a_front_that_comes_back_with_older_copies_tells_nothing_of_what_may_be_overwritten(
            Later later, boolean withTheAttempt) {
        Store replica = front.store;
        one.update(win(one, asking(1)), done("first", HOUR));
        if (!withTheAttempt) {
            flush();
        }
        Ticket attempt = win(one, asking(2).replacing(TakeoverReason.OVERWRITE, meet(truth), List.of()));
        flush();
        switch (later) {
            case OVERWRITTEN -> one.update(attempt, done("second", HOUR));
            case OVERWRITTEN_IN_VAIN -> one.update(attempt, new Change.Release(HOUR));
            case BEING_OVERWRITTEN -> {}
        }
        front.store = replica;
        timer.pass(Duration.ofSeconds(5)); // that it runs may be told for so long
        Status expected = later == Later.BEING_OVERWRITTEN ? Status.PROCESSING : Status.SUCCESS;
        String result = later == Later.OVERWRITTEN ? "second" : "first";
        for (int payload = 1; payload <= 2; payload++) {
            RecordSnapshot seen = (RecordSnapshot) other.claim(asking(payload));
            assertThat(seen.record().status()).isEqualTo(expected);
            if (expected == Status.SUCCESS) {
                assertThat(seen.record().payload()).isEqualTo(done(result, HOUR).result());
            }
        }
    }

    private Claim asking(int payload) {
        return claim(LEASE)
                .print(StoredFingerprint.of(() -> new byte[] {(byte) payload}, () -> null))
                .overwriting();
    }

    /** A process that ends in the middle of a step. */
    private static final class Died extends Error {
        private static final long serialVersionUID = 1;
    }
}
