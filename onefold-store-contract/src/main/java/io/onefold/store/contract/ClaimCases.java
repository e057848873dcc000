package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A claim without grounds to take anything: it inserts, meets, or recognises itself. */
abstract class ClaimCases extends StoreCases {
    ClaimCases(StoreContract contract) {
        super(contract);
    }

    @Test
    void the_first_claim_wins_and_writes_what_it_carries() {
        Claim claim = full(id(), LONG);
        long before = fixture().now();
        Ticket ticket = win(claim);
        long after = fixture().now();

        StoredRecord record = find(claim.id());
        assertThat(record.times().createdAt()).isBetween(before, after);
        assertThat(record.times().updatedAt()).isBetween(before, after);
        assertThat(record.times().leaseUntil()).isBetween(before + micros(LONG), after + micros(LONG));
        assertThat(RecordImage.of(record))
                .isEqualTo(new RecordImage(
                        "scope",
                        operation,
                        claim.id().key(),
                        Status.PROCESSING,
                        claim.owner(),
                        ticket.fence(),
                        3,
                        record.times(),
                        RecordImage.hex(bytes("hash")),
                        RecordImage.hex(bytes("fields")),
                        List.of(str("older"), str("old")),
                        null,
                        RecordImage.hex(bytes("checkpoint")),
                        "biz-" + claim.id().key()));
    }

    private static String str(String text) {
        return String.valueOf(RecordImage.hex(bytes(text)));
    }

    @Test
    void what_a_claim_does_not_carry_is_absent() {
        Claim claim = bare(id(), LONG);
        win(claim);
        StoredRecord record = find(claim.id());
        assertThat(record.prints().hash()).isNull();
        assertThat(record.prints().fields()).isNull();
        assertThat(record.prints().superseded()).isEmpty();
        assertThat(record.checkpoint()).isNull();
        assertThat(record.bizId()).isNull();
        assertThat(record.payload()).isNull();
        assertThat(record.attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Status.class)
    @Tag("invariant-1")
    void a_second_claim_meets_the_record_as_it_is(Status status) {
        StoredRecord there = bring(status, LONG);
        RecordSnapshot seen = meet(bare(there.id(), LONG));
        if (fixture().answersFromCopies()) {
            assertThat(seen.record().status()).isEqualTo(status);
            assertThat(seen.record().payload()).isEqualTo(there.payload());
            assertThat(seen.record().prints().hash()).isEqualTo(there.prints().hash());
        } else {
            assertThat(RecordImage.of(seen.record())).isEqualTo(RecordImage.of(there));
        }
        unchanged(RecordImage.of(there), there.id());
    }

    @Test
    @Tag("invariant-6")
    void a_record_stays_when_its_lease_is_over() {
        StoredRecord there = bring(Status.PROCESSING, SHORT);
        fixture().pass(SHORT);
        RecordSnapshot seen = meet(bare(there.id(), LONG));
        assertThat(seen.record().leaseOver(seen.now())).isTrue();
        assertThat(seen.record().fence()).isEqualTo(there.fence());
        unchanged(RecordImage.of(there), there.id());
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCESS", "FAILED", "FREE"})
    @Tag("invariant-29")
    void a_record_stays_when_its_keep_is_over_until_it_is_taken(Status status) {
        StoredRecord there = bring(status, SHORT);
        fixture().pass(SHORT);
        if (fixture().forgetsByItself()) {
            assertThat(absent(there.id())).isTrue();
            win(bare(there.id(), LONG));
            return;
        }
        RecordSnapshot seen = meet(bare(there.id(), LONG));
        assertThat(seen.record().gone(seen.now())).isTrue();
        unchanged(RecordImage.of(there), there.id());
        win(bare(there.id(), LONG).replacing(TakeoverReason.EXPIRED, seen.record(), List.of()));
    }

    @Test
    @Tag("invariant-14")
    void a_claim_whose_answer_was_lost_recognises_itself() {
        Claim claim = full(id(), LONG);
        Ticket ticket = win(claim);
        RecordImage before = picture(claim.id());
        assertThat(win(claim)).isEqualTo(ticket);
        unchanged(before, claim.id());
    }

    @Test
    @Tag("invariant-14")
    void a_retaking_claim_whose_answer_was_lost_recognises_itself() {
        StoredRecord free = bring(Status.FREE, LONG);
        Claim claim = full(free.id(), LONG).retaking(TakeoverReason.FREE, free, List.of());
        Ticket ticket = win(claim);
        assertThat(win(claim)).isEqualTo(ticket);
    }

    @ParameterizedTest
    @EnumSource(names = "PROCESSING", mode = EnumSource.Mode.EXCLUDE)
    @Tag("invariant-14")
    void a_claim_does_not_recognise_itself_once_it_has_ended(Status status) {
        Claim claim = full(id(), LONG);
        StoredRecord there = bring(claim, status, KEEP);
        meet(claim);
        unchanged(RecordImage.of(there), claim.id());
    }

    @Test
    @Tag("invariant-14")
    void a_claim_does_not_recognise_itself_once_its_lease_is_over() {
        Claim claim = full(id(), SHORT);
        StoredRecord there = bring(claim, Status.PROCESSING, KEEP);
        fixture().pass(SHORT);
        meet(claim);
        StoredRecord free = bring(Status.FREE, LONG);
        Claim retaking = full(free.id(), SHORT).retaking(TakeoverReason.FREE, free, List.of());
        win(retaking);
        fixture().pass(SHORT);
        meet(retaking);
        unchanged(RecordImage.of(there), claim.id());
    }

    @Test
    void fences_rise_from_claim_to_claim_whatever_lies_between() {
        Claim first = bare(id(), LONG);
        Ticket claimed = win(first);
        apply(claimed, new Change.Release(KEEP));
        Ticket retaken = win(bare(first.id(), LONG).retaking(TakeoverReason.FREE, find(first.id()), List.of()));
        assertThat(retaken.fence()).isGreaterThan(claimed.fence());

        apply(retaken, new Change.MarkUnknown(payload(ResultPayload.Kind.NOTE, "?"), false));
        apply(retaken, new Change.Settle(owner(), Status.SUCCESS, value("settled"), RetentionPeriod.of(SHORT), false));
        StoredRecord settled = find(first.id());
        assertThat(settled.fence()).isGreaterThan(retaken.fence());

        fixture().pass(SHORT);
        Ticket replaced = win(bare(first.id(), SHORT).replacing(TakeoverReason.EXPIRED, settled, List.of()));
        assertThat(replaced.fence()).isGreaterThan(settled.fence());

        fixture().pass(SHORT);
        Ticket over = win(bare(first.id(), LONG).replacing(TakeoverReason.LEASE_OVER, find(first.id()), List.of()));
        assertThat(over.fence()).isGreaterThan(replaced.fence());
    }

    @Test
    void fences_rise_even_after_the_record_was_swept() {
        Claim first = bare(id(), LONG);
        Ticket claimed = win(first);
        apply(claimed, new Change.Complete(value("done"), RetentionPeriod.of(SHORT)));
        fixture().pass(SHORT);
        SweepLoop.all(store());
        assertThat(absent(first.id())).isTrue();
        assertThat(win(bare(first.id(), LONG)).fence()).isGreaterThan(claimed.fence());
    }

    @Test
    void a_take_of_what_is_no_longer_there_claims_it_anew() {
        StoredRecord swept = bring(Status.FREE, SHORT);
        fixture().pass(SHORT);
        SweepLoop.all(store());
        Ticket ticket = win(bare(swept.id(), LONG).retaking(TakeoverReason.FREE, swept, List.of()));
        assertThat(ticket.fence()).isGreaterThan(swept.fence());
        assertThat(find(swept.id()).attempts()).isEqualTo(swept.attempts() + 1);
    }
}
