package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.RecordId;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.StoredRecord.RecordFingerprints;
import io.onefold.store.StoredRecord.RecordTimes;
import io.onefold.store.Takeover;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases for a store in front of a primary store: its marks, and its copies of the recorded results. */
abstract class CopyCases extends StoreCases {
    CopyCases(StoreContract contract) {
        super(contract);
    }

    @Test
    void a_marks_fence_is_below_every_fence_of_the_truth() {
        Ticket truth = win(bare(id(), LONG));
        Claim claim = bare(id(), LONG);
        Ticket mark = win(claim.mark(claim.id(), claim.lease(), null));
        assertThat(mark.fence()).isLessThan(truth.fence());
        assertThat(win(claim.mark(claim.id(), claim.lease(), null))).isEqualTo(mark);
        apply(mark, new Change.Release(KEEP));

        Claim next = bare(claim.id(), LONG);
        Ticket again = win(next.mark(claim.id(), next.lease(), new Takeover(TakeoverReason.FREE, mark.fence())));
        assertThat(again.fence()).isLessThan(truth.fence());
        lose(mark, new Change.Release(KEEP));
    }

    @Test
    void a_mark_in_the_place_of_a_copy_does_not_rise_above_it() {
        StoredRecord free = copy(id(), Status.FREE, 1_000);
        apply(free.ticket(), mirror(free));
        Claim claim = bare(free.id(), LONG);
        Ticket mark = win(claim.mark(free.id(), claim.lease(), new Takeover(TakeoverReason.FREE, 1_000)));
        assertThat(mark.fence()).isLessThanOrEqualTo(1_000);
        StoredRecord claimed = copy(free.id(), Status.PROCESSING, 1_001);
        apply(claimed.ticket(), mirror(claimed));
        assertThat(find(free.id()).fence()).isEqualTo(1_001);
    }

    @ParameterizedTest
    @EnumSource(
            value = TakeoverReason.class,
            names = {"FREE", "LEASE_OVER", "EXPIRED"})
    void a_mark_may_take_the_place_of_what_says_nothing_any_more(TakeoverReason grounds) {
        Status status = switch (grounds) {
            case FREE -> Status.FREE;
            case LEASE_OVER -> Status.PROCESSING;
            default -> Status.SUCCESS;
        };
        StoredRecord silent = copy(id(), status, 1_000);
        Duration keep = grounds == TakeoverReason.EXPIRED ? Duration.ZERO : LONG;
        apply(silent.ticket(), new Change.Mirror(silent, Duration.ZERO, keep, Duration.ZERO));
        Claim claim = bare(silent.id(), LONG);
        Ticket mark = win(claim.mark(silent.id(), claim.lease(), new Takeover(grounds, 1_000)));
        assertThat(mark.fence()).isLessThanOrEqualTo(1_000);
        Claim late = bare(silent.id(), LONG);
        assertThat(meet(late.mark(silent.id(), late.lease(), new Takeover(grounds, 1_000)))
                        .record()
                        .owner())
                .as("one of them takes it")
                .isEqualTo(claim.owner());
        StoredRecord done = copy(silent.id(), Status.SUCCESS, 1_000);
        apply(done.ticket(), mirror(done));
        assertThat(find(silent.id()).status()).isEqualTo(Status.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void a_copy_is_written_where_there_is_none_with_what_is_left_of_its_times(Status status) {
        StoredRecord copy = copy(id(), status, 5_000);
        long before = fixture().now();
        apply(copy.ticket(), mirror(copy));
        long after = fixture().now();
        StoredRecord there = find(copy.id());
        RecordImage expected = RecordImage.of(new StoredRecord(
                copy.id(),
                status,
                copy.owner(),
                5_000,
                4,
                there.times(),
                copy.prints(),
                copy.payload(),
                copy.checkpoint(),
                copy.bizId()));
        assertThat(RecordImage.of(there)).isEqualTo(expected);
        if (status == Status.PROCESSING) {
            assertThat(there.times().leaseUntil()).isBetween(before + micros(LONG), after + micros(LONG));
        }
        if (status.sweepable()) {
            long keep = micros(LONG.multipliedBy(2));
            assertThat(there.times().expireAt()).isBetween(before + keep, after + keep);
            assertThat(there.times().goneAt() - there.times().expireAt()).isEqualTo(micros(LONG.multipliedBy(3)));
        }
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    void a_copy_replaces_only_what_is_older_or_was_not_at_its_end(Status status) {
        RecordId id = id();
        StoredRecord stored = copy(id, status, 5_000);
        apply(stored.ticket(), mirror(stored));

        StoredRecord lower = copy(id, Status.SUCCESS, 4_999);
        RecordImage before = picture(id);
        lose(lower.ticket(), mirror(lower));
        unchanged(before, id);

        StoredRecord equal = copy(id, Status.FAILED, 5_000);
        if (status.sweepable()) {
            lose(equal.ticket(), mirror(equal));
            unchanged(before, id);
        } else {
            apply(equal.ticket(), mirror(equal));
            assertThat(find(id).status()).isEqualTo(Status.FAILED);
        }

        StoredRecord higher = copy(id, Status.PROCESSING, 5_001);
        apply(higher.ticket(), mirror(higher));
        assertThat(find(id).ticket()).isEqualTo(higher.ticket());
    }

    private static Change mirror(StoredRecord copy) {
        return new Change.Mirror(copy, LONG, LONG.multipliedBy(2), LONG.multipliedBy(3));
    }

    private static StoredRecord copy(RecordId id, Status status, long fence) {
        RecordTimes elsewhere = new RecordTimes(1, 2, 3, 4, 5);
        RecordFingerprints prints = new RecordFingerprints(bytes("hash"), bytes("fields"), List.of(bytes("old")));
        return new StoredRecord(
                id, status, owner(), fence, 4, elsewhere, prints, value("copied"), bytes("checkpoint"), "biz");
    }
}
