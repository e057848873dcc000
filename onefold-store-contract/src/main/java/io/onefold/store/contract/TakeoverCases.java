package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoredFingerprint;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.Takeover.TakeoverReason;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every ground to take a record, on every state: always, never, or once its time (lease, keep and tombstone) is over. */
abstract class TakeoverCases extends StoreCases {
    private static final String TABLE = """
                        PROCESSING  SUCCESS  FAILED  UNKNOWN  FREE
            FREE        never       never    never   never    always
            EXPIRED     never       over     over    never    over
            LEASE_OVER  over        never    never   never    never
            UNKNOWN     never       never    never   always   never
            OVERWRITE   never       always   always  never    never
            """;

    TakeoverCases(StoreContract contract) {
        super(contract);
    }

    static Stream<Arguments> cells() {
        return TextTable.cells(TABLE)
                .map(cell ->
                        Arguments.of(TakeoverReason.valueOf(cell.row()), Status.valueOf(cell.column()), cell.entry()));
    }

    @ParameterizedTest(name = "{0} takes {1}: {2}")
    @MethodSource("cells")
    @Tag("invariant-1")
    void a_record_is_taken_on_good_grounds_alone(TakeoverReason grounds, Status status, String when) {
        StoredRecord young = bring(status, LONG);
        refused(taking(young, grounds, young.fence() + 1), young);
        refused(taking(young, grounds, young.fence() - 1), young);
        if (when.equals("always")) {
            taken(taking(young, grounds, young.fence()), young);
        } else {
            refused(taking(young, grounds, young.fence()), young);
        }

        StoredRecord old = bring(status, SHORT);
        fixture().pass(SHORT);
        if (status.sweepable() && fixture().forgetsByItself()) {
            taken(taking(old, grounds, old.fence() + 1), old);
            return;
        }
        refused(taking(old, grounds, old.fence() + 1), old);
        if (when.equals("never")) {
            refused(taking(old, grounds, old.fence()), old);
        } else {
            taken(taking(old, grounds, old.fence()), old);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCESS", "FAILED"})
    void a_tombstone_keeps_a_record_from_being_taken_as_expired(Status status) {
        StoredRecord there = bring(status, new RetentionPeriod(SHORT, LONG));
        fixture().pass(SHORT);
        refused(taking(there, TakeoverReason.EXPIRED, there.fence()), there);
        StoredRecord gone = bring(status, new RetentionPeriod(SHORT, SHORT));
        fixture().pass(SHORT.multipliedBy(2));
        taken(taking(gone, TakeoverReason.EXPIRED, gone.fence()), gone);
    }

    @Test
    void time_is_over_at_its_last_microsecond_and_not_before() {
        if (!fixture().stopsTime()) {
            return;
        }
        StoredRecord leased = bring(Status.PROCESSING, SHORT);
        StoredRecord kept = bring(Status.SUCCESS, SHORT);
        fixture().pass(until(leased.times().leaseUntil()).minus(MICRO));
        refused(taking(leased, TakeoverReason.LEASE_OVER, leased.fence()), leased);
        refused(taking(kept, TakeoverReason.EXPIRED, kept.fence()), kept);
        assertThat(claim(bare(leased.id(), LONG).retaking(TakeoverReason.FREE, leased, List.of())))
                .isNotInstanceOf(ClaimResult.Acquired.class);
        fixture().pass(MICRO);
        taken(taking(leased, TakeoverReason.LEASE_OVER, leased.fence()), leased);
        fixture().pass(until(kept.times().goneAt()));
        taken(taking(kept, TakeoverReason.EXPIRED, kept.fence()), kept);
    }

    private Duration until(long micros) {
        return MICRO.multipliedBy(Math.max(0, micros - fixture().now()));
    }

    @Test
    @Tag("invariant-10")
    void an_attempt_that_goes_on_carries_what_the_earlier_one_left() {
        StoredRecord free = bring(Status.FREE, LONG);
        win(bare(free.id(), LONG)
                .retaking(TakeoverReason.FREE, free, free.prints().superseded()));
        StoredRecord next = find(free.id());
        assertThat(next.attempts()).isEqualTo(free.attempts() + 1);
        assertThat(next.checkpoint()).isEqualTo(free.checkpoint());
        assertThat(next.prints().superseded()).hasSameSizeAs(free.prints().superseded());
    }

    @Test
    @Tag("invariant-10")
    void a_next_attempt_without_a_payload_of_its_own_keeps_the_one_that_is_known() {
        StoredRecord free = bring(Status.FREE, LONG);
        win(bare(free.id(), LONG)
                .retaking(TakeoverReason.FREE, free, free.prints().superseded()));
        StoredRecord next = find(free.id());
        assertThat(next.prints().hash()).isEqualTo(free.prints().hash());
        assertThat(next.prints().fields()).isEqualTo(free.prints().fields());
        assertThat(next.bizId()).isEqualTo(free.bizId());
    }

    @Test
    void a_next_attempt_leaves_the_creation_as_it_was_and_a_new_beginning_does_not() {
        StoredRecord free = bring(Status.FREE, LONG);
        StoredRecord done = bring(Status.SUCCESS, LONG);
        fixture().pass(SHORT);
        win(taking(free, TakeoverReason.FREE, free.fence()));
        win(taking(done, TakeoverReason.OVERWRITE, done.fence()));
        assertThat(find(free.id()).times().createdAt()).isEqualTo(free.times().createdAt());
        assertThat(find(done.id()).times().createdAt())
                .isGreaterThan(done.times().createdAt());
    }

    /** A claim whose own content differs in everything from what is there. */
    private Claim taking(StoredRecord record, TakeoverReason grounds, long fence) {
        StoredFingerprint print = StoredFingerprint.of(() -> bytes("new hash"), () -> bytes("new fields"));
        List<byte[]> superseded = List.of(bytes("hash"));
        return new Claim(
                record.id(),
                owner(),
                LONG,
                7,
                print,
                superseded,
                bytes("resumed"),
                "new biz",
                new Takeover(grounds, fence),
                grounds == TakeoverReason.OVERWRITE,
                false);
    }

    private void refused(Claim taking, StoredRecord there) {
        meet(taking);
        unchanged(RecordImage.of(there), there.id());
    }

    private void taken(Claim taking, StoredRecord there) {
        long before = fixture().now();
        long fence = win(taking).fence();
        long after = fixture().now();
        assertThat(fence).isGreaterThan(there.fence());
        StoredRecord record = find(there.id());
        assertThat(record.times().updatedAt()).isBetween(before, after);
        assertThat(record.times().leaseUntil()).isBetween(before + micros(LONG), after + micros(LONG));
        assertThat(RecordImage.of(record))
                .isEqualTo(new RecordImage(
                        there.id().scope(),
                        operation,
                        there.id().key(),
                        Status.PROCESSING,
                        taking.owner(),
                        fence,
                        7,
                        record.times(),
                        RecordImage.hex(bytes("new hash")),
                        RecordImage.hex(bytes("new fields")),
                        List.of(String.valueOf(RecordImage.hex(bytes("hash")))),
                        null,
                        RecordImage.hex(bytes("resumed")),
                        "new biz"));
    }
}
