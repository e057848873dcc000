package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fences of one key rise, also if its record was removed and the store's clock was set back afterwards. */
@Tag("invariant-7")
abstract class ClockSetBackCases extends StoreCases {
    private static final Duration SECOND = Duration.ofSeconds(1);

    ClockSetBackCases(StoreContract contract) {
        super(contract);
    }

    @ParameterizedTest
    @EnumSource(names = {"SUCCESS", "FAILED", "FREE"})
    void fences_rise_although_the_clock_was_set_back_after_the_sweep(Status status) {
        Claim first = bare(id(), LONG);
        Ticket claimed = win(first);
        apply(
                claimed,
                switch (status) {
                    case SUCCESS -> new Change.Complete(value("first"), RetentionPeriod.of(SHORT));
                    case FAILED ->
                        new Change.Fail(payload(ResultPayload.Kind.FAILURE, "first"), RetentionPeriod.of(SHORT));
                    default -> new Change.Release(RetentionPeriod.of(SHORT));
                });
        Store behind = sweptAndSetBack(first.id());
        assertThat(won(behind, bare(first.id(), LONG)).fence()).isGreaterThan(claimed.fence());
    }

    @Test
    void fences_rise_from_life_to_life_while_the_clock_is_behind() {
        Claim first = bare(id(), LONG);
        Ticket last = win(first);
        apply(last, new Change.Complete(value("first"), RetentionPeriod.of(SHORT)));
        Store behind = sweptAndSetBack(first.id());
        for (int life = 2; life < 5; life++) {
            Ticket next = won(behind, bare(first.id(), LONG));
            assertThat(next.fence()).as("fence of life %s", life).isGreaterThan(last.fence());
            assertThat(door.update(behind, next, new Change.Complete(value("next"), RetentionPeriod.of(SHORT))))
                    .isEqualTo(UpdateResult.APPLIED);
            fixture().pass(SHORT);
            SweepLoop.all(behind);
            assertThat(behind.find(first.id())).as("record of life %s", life).isNull();
            last = next;
        }
    }

    @Test
    void fences_of_takeovers_hold_after_the_clock_was_set_back() {
        Ticket claimed = win(bare(id(), SHORT));
        fixture().pass(SHORT);
        Ticket taken = win(bare(claimed.id(), LONG).retaking(TakeoverReason.LEASE_OVER, find(claimed.id()), List.of()));
        apply(taken, new Change.Release(RetentionPeriod.of(SHORT)));
        Store behind = sweptAndSetBack(claimed.id());
        assertThat(won(behind, bare(claimed.id(), LONG)).fence()).isGreaterThan(taken.fence());
    }

    @Test
    void fences_of_settlements_hold_after_the_clock_was_set_back() {
        Ticket claimed = win(bare(id(), LONG));
        apply(claimed, new Change.MarkUnknown(payload(ResultPayload.Kind.NOTE, "?"), false));
        fixture().pass(SHORT);
        long before = fixture().now();
        apply(claimed, new Change.Settle(owner(), Status.SUCCESS, value("settled"), RetentionPeriod.of(SHORT), false));
        Store behind = sweptAndSetBack(claimed.id());
        assertThat(won(behind, bare(claimed.id(), LONG)).fence()).isGreaterThan(before);
    }

    @Test
    void fences_of_ends_that_were_put_back_hold_after_the_clock_was_set_back() {
        StoredRecord end = bring(full(id(), LONG), Status.SUCCESS, RetentionPeriod.of(SECOND));
        Ticket overwriting = win(bare(end.id(), LONG).replacing(TakeoverReason.OVERWRITE, end, List.of()));
        fixture().pass(SHORT);
        long before = fixture().now();
        apply(overwriting, new Change.Release(KEEP));
        fixture().pass(SECOND);
        Store behind = sweptAndSetBack(end.id());
        assertThat(won(behind, bare(end.id(), LONG)).fence()).isGreaterThan(before);
    }

    @Test
    void what_travels_together_has_fences_above_those_that_were_removed() {
        List<RecordId> ids = IntStream.range(0, 7).mapToObj(i -> id()).toList();
        List<Ticket> first = wonAll(store(), ids);
        first.forEach(ticket -> apply(ticket, new Change.Complete(value("first"), RetentionPeriod.of(SHORT))));
        Store behind = sweptAndSetBack(ids.toArray(RecordId[]::new));
        List<Ticket> second = wonAll(behind, ids);
        for (int i = 0; i < ids.size(); i++) {
            assertThat(second.get(i).fence()).isGreaterThan(first.get(i).fence());
        }
    }

    private Store sweptAndSetBack(RecordId... ids) {
        fixture().pass(SHORT);
        SweepLoop.all(store());
        assertThat(ids).allMatch(this::absent);
        return fixture().setClockBack(LONG);
    }

    private List<Ticket> wonAll(Store store, List<RecordId> ids) {
        List<Claim> claims = ids.stream().map(id -> bare(id, LONG)).toList();
        List<ClaimResult> answers =
                store.claimAll(claims).stream().map(answer -> answer.get()).toList();
        return IntStream.range(0, ids.size())
                .mapToObj(i -> ticket(claims.get(i), answers.get(i)))
                .toList();
    }

    private Ticket won(Store store, Claim claim) {
        return ticket(claim, door.claim(store, claim));
    }

    private static Ticket ticket(Claim claim, ClaimResult claimed) {
        assertThat(claimed).as("answer to %s", claim).isNotInstanceOf(RecordSnapshot.class);
        return new Ticket(claim.id(), claim.owner(), ((ClaimResult.Acquired) claimed).fence());
    }
}
