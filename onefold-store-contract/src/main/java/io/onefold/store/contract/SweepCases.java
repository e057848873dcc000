package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sweeps: what nobody needs any more, and nothing else. */
@Tag("invariant-22")
abstract class SweepCases extends StoreCases {
    SweepCases(StoreContract contract) {
        super(contract);
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCESS", "FAILED", "FREE"})
    void a_sweep_removes_what_was_kept_long_enough(Status status) {
        StoredRecord old = bring(status, SHORT);
        StoredRecord young = bring(status, LONG);
        fixture().pass(SHORT);
        SweepLoop.all(store());
        assertThat(absent(old.id())).isTrue();
        unchanged(RecordImage.of(young), young.id());
    }

    @Test
    @Tag("invariant-6")
    void a_sweep_never_touches_what_is_under_way_or_unknown() {
        StoredRecord over = bring(Status.PROCESSING, SHORT);
        StoredRecord unknown = bring(full(id(), SHORT), Status.UNKNOWN, RetentionPeriod.of(SHORT));
        StoredRecord free = bring(Status.FREE, SHORT);
        win(full(free.id(), SHORT).retaking(TakeoverReason.FREE, free, List.of()));
        RecordImage retaken = picture(free.id());
        fixture().pass(SHORT.multipliedBy(2));
        SweepLoop.all(store());
        unchanged(RecordImage.of(over), over.id());
        unchanged(RecordImage.of(unknown), unknown.id());
        unchanged(retaken, free.id());
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCESS", "FAILED"})
    void a_tombstone_stays_stripped_until_its_own_time_is_over(Status status) {
        StoredRecord there = bring(status, new RetentionPeriod(SHORT, LONG));
        StoredRecord shorter = bring(status, new RetentionPeriod(SHORT, SHORT));
        fixture().pass(SHORT);
        SweepLoop.all(store());

        RecordImage was = RecordImage.of(there);
        assertThat(picture(there.id()))
                .isEqualTo(new RecordImage(
                        was.scope(),
                        was.operation(),
                        was.key(),
                        status,
                        was.owner(),
                        was.fence(),
                        was.attempts(),
                        was.times(),
                        was.hash(),
                        was.fields(),
                        List.of(),
                        null,
                        null,
                        was.bizId()));
        fixture().pass(SHORT);
        SweepLoop.all(store());
        assertThat(absent(there.id())).isFalse();
        assertThat(absent(shorter.id())).isTrue();
    }

    @Test
    void a_tombstone_is_stripped_once() {
        bring(Status.SUCCESS, new RetentionPeriod(SHORT, LONG));
        fixture().pass(SHORT);
        int rounds = 0;
        while (store().sweep(1) == 1) {
            assertThat(++rounds).as("sweeps that found something").isLessThan(10_000);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_sweep_goes_no_further_than_its_limit(boolean tombstones) {
        boolean strips = tombstones || fixture().forgetsByItself();
        RetentionPeriod keep = strips ? new RetentionPeriod(SHORT, LONG) : RetentionPeriod.of(SHORT);
        SweepLoop.all(store());
        List<StoredRecord> due =
                IntStream.range(0, 7).mapToObj(i -> bring(Status.SUCCESS, keep)).toList();
        fixture().pass(SHORT);
        for (int left = 7; left > 0; left -= 3) {
            assertThat(due.stream().filter(record -> !swept(record)).count()).isGreaterThanOrEqualTo(left);
            assertThat(store().sweep(3)).isBetween(1, 3);
        }
        SweepLoop.all(store());
        assertThat(due).allMatch(this::swept);
    }

    private boolean swept(StoredRecord record) {
        return absent(record.id()) || find(record.id()).payload() == null;
    }
}
