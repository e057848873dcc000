package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Filter;
import io.onefold.store.Keep;
import io.onefold.store.Payload;
import io.onefold.store.Seen;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Take.Grounds;
import io.onefold.store.Updated;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One clock, the store's, whoever asks and from wherever. */
@Tag("invariant-7")
abstract class TimeCases extends Cases {
    TimeCases(StoreContract contract) {
        super(contract);
    }

    @Test
    void every_answer_carries_the_stores_now() {
        Claim claim = bare(id(), LONG);
        long before = fixture().now();
        Claimed won = claim(claim);
        Seen met = meet(bare(claim.id(), LONG));
        Seen found = Objects.requireNonNull(store().find(claim.id()));
        long listed = store().list(Filter.of(Status.PROCESSING).operation(operation), null, 1)
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
            StoredRecord record = bring(status, new Keep(LONG, LONG));
            Seen there = Objects.requireNonNull(fixture().reopened().find(record.id()));
            assertThat(Picture.of(there.record())).isEqualTo(Picture.of(record));
            assertThat(there.now())
                    .isBetween(record.times().updatedAt(), fixture().now());
            Seen met = (Seen) door.claim(fixture().reopened(), bare(record.id(), LONG));
            assertThat(met.record().status()).isEqualTo(status);
        }
    }

    @Test
    void two_handles_agree_when_a_lease_is_over() {
        Store other = fixture().reopened();
        StoredRecord held = bring(Status.PROCESSING, LONG);
        Change doubt = new Change.Unknown(payload(Payload.Kind.NOTE, "lost"), true);
        assertThat(door.claim(other, taking(held, Grounds.LEASE_OVER))).isInstanceOf(Seen.class);
        assertThat(door.update(other, held.ticket(), doubt)).isEqualTo(Updated.LOST);
        assertThat(other.list(Filter.stuck().operation(operation), null, 10).records())
                .isEmpty();

        StoredRecord late = bring(Status.PROCESSING, SHORT);
        StoredRecord doubted = bring(Status.PROCESSING, SHORT);
        fixture().pass(SHORT);
        assertThat(other.list(Filter.stuck().operation(operation), null, 10).records())
                .hasSize(2);
        assertThat(door.claim(other, taking(late, Grounds.LEASE_OVER))).isInstanceOf(Claimed.Won.class);
        assertThat(door.update(other, doubted.ticket(), doubt)).isEqualTo(Updated.APPLIED);
    }

    @Test
    void two_handles_agree_when_a_keep_is_over() {
        Store other = fixture().reopened();
        StoredRecord kept = bring(Status.SUCCESS, LONG);
        StoredRecord over = bring(Status.SUCCESS, SHORT);
        StoredRecord swept = bring(Status.SUCCESS, SHORT);
        fixture().pass(SHORT);
        assertThat(door.claim(other, taking(kept, Grounds.EXPIRED))).isInstanceOf(Seen.class);
        assertThat(door.claim(other, taking(over, Grounds.EXPIRED))).isInstanceOf(Claimed.Won.class);
        Sweeping.all(other);
        assertThat(absent(swept.id())).isTrue();
        assertThat(absent(kept.id())).isFalse();
        assertThat(find(over.id()).status()).isEqualTo(Status.PROCESSING);
    }

    private Claim taking(StoredRecord record, Grounds grounds) {
        return bare(record.id(), LONG).retaking(grounds, record, List.of());
    }
}
