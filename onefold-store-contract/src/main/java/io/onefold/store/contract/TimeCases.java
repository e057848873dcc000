package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.UpdateResult;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cases for the one clock, which is the store's for every caller. */
@Tag("invariant-7")
abstract class TimeCases extends StoreCases {
    TimeCases(StoreContract contract) {
        super(contract);
    }

    @Test
    void every_answer_carries_the_stores_now() {
        Claim claim = bare(id(), LONG);
        long before = fixture().now();
        ClaimResult won = claim(claim);
        RecordSnapshot met = meet(bare(claim.id(), LONG));
        RecordSnapshot found = Objects.requireNonNull(store().find(claim.id()));
        long listed = store().list(RecordFilter.of(Status.PROCESSING).operation(operation), null, 1)
                .now();
        assertThat(List.of(
                        before,
                        won.now(),
                        met.now(),
                        found.now(),
                        listed,
                        fixture().now()))
                .isSorted();
    }

    @Test
    void time_goes_by_at_the_store() {
        StoredRecord record = bring(Status.PROCESSING, LONG);
        long before = fixture().now();
        fixture().pass(SHORT);
        assertThat(Objects.requireNonNull(store().find(record.id())).now())
                .isGreaterThanOrEqualTo(before + micros(SHORT));
    }

    @Test
    @Tag("invariant-30")
    void a_second_handle_sees_the_same_record_and_the_same_times() {
        for (Status status : Status.values()) {
            StoredRecord record = bring(status, new RetentionPeriod(LONG, LONG));
            RecordSnapshot there = Objects.requireNonNull(fixture().reopened().find(record.id()));
            assertThat(RecordImage.of(there.record())).isEqualTo(RecordImage.of(record));
            assertThat(there.now())
                    .isBetween(record.times().updatedAt(), fixture().now());
            RecordSnapshot met = (RecordSnapshot) door.claim(fixture().reopened(), bare(record.id(), LONG));
            assertThat(met.record().status()).isEqualTo(status);
        }
    }

    @Test
    void two_handles_agree_when_a_lease_is_over() {
        Store other = fixture().reopened();
        StoredRecord held = bring(Status.PROCESSING, LONG);
        Change doubt = new Change.MarkUnknown(payload(ResultPayload.Kind.NOTE, "lost"), true);
        assertThat(door.claim(other, taking(held, TakeoverReason.LEASE_OVER))).isInstanceOf(RecordSnapshot.class);
        assertThat(door.update(other, held.ticket(), doubt)).isEqualTo(UpdateResult.LOST);
        assertThat(other.list(RecordFilter.stuck().operation(operation), null, 10)
                        .records())
                .isEmpty();

        StoredRecord late = bring(Status.PROCESSING, SHORT);
        StoredRecord doubted = bring(Status.PROCESSING, SHORT);
        fixture().pass(SHORT);
        assertThat(other.list(RecordFilter.stuck().operation(operation), null, 10)
                        .records())
                .hasSize(2);
        assertThat(door.claim(other, taking(late, TakeoverReason.LEASE_OVER))).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(door.update(other, doubted.ticket(), doubt)).isEqualTo(UpdateResult.APPLIED);
    }

    @Test
    void two_handles_agree_when_a_keep_is_over() {
        Store other = fixture().reopened();
        StoredRecord kept = bring(Status.SUCCESS, LONG);
        StoredRecord over = bring(Status.SUCCESS, SHORT);
        StoredRecord swept = bring(Status.SUCCESS, SHORT);
        fixture().pass(SHORT);
        assertThat(door.claim(other, taking(kept, TakeoverReason.EXPIRED))).isInstanceOf(RecordSnapshot.class);
        assertThat(door.claim(other, taking(over, TakeoverReason.EXPIRED))).isInstanceOf(ClaimResult.Acquired.class);
        SweepLoop.all(other);
        assertThat(absent(swept.id())).isTrue();
        assertThat(absent(kept.id())).isFalse();
        assertThat(find(over.id()).status()).isEqualTo(Status.PROCESSING);
    }

    private Claim taking(StoredRecord record, TakeoverReason grounds) {
        return bare(record.id(), LONG).retaking(grounds, record, List.of());
    }
}
