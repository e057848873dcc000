package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many at once: each item as if it had come alone, in its place. */
abstract class BatchCases extends StoreCases {
    BatchCases(StoreContract contract) {
        super(contract);
    }

    @Test
    void an_empty_batch_has_no_answers() {
        assertThat(store().claimAll(List.of())).isEmpty();
        assertThat(store().updateAll(List.of())).isEmpty();
    }

    @Test
    @Tag("invariant-1")
    void of_two_claims_for_one_key_the_first_wins() {
        Claim first = full(id(), LONG);
        Claim second = full(first.id(), LONG);
        List<BatchItemResult<ClaimResult>> answers = store().claimAll(List.of(first, second, first));
        long fence = ((ClaimResult.Acquired) answers.get(0).get()).fence();
        StoredRecord seen = ((RecordSnapshot) answers.get(1).get()).record();
        assertThat(seen.owner()).isEqualTo(first.owner());
        assertThat(((ClaimResult.Acquired) answers.get(2).get()).fence()).isEqualTo(fence);
        assertThat(find(first.id()).ticket()).isEqualTo(new Ticket(first.id(), first.owner(), fence));
    }

    @Test
    void of_two_takes_of_one_record_the_first_wins() {
        StoredRecord free = bring(Status.FREE, LONG);
        Claim first = full(free.id(), LONG).retaking(TakeoverReason.FREE, free, List.of());
        Claim second = full(free.id(), LONG).retaking(TakeoverReason.FREE, free, List.of());
        List<BatchItemResult<ClaimResult>> answers = store().claimAll(List.of(first, second));
        assertThat(answers.get(0).get()).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(answers.get(1).get()).isInstanceOf(RecordSnapshot.class);
        assertThat(find(free.id()).owner()).isEqualTo(first.owner());
    }

    @Test
    void changes_to_one_record_are_served_in_their_order() {
        Change renew = new Change.Renew(LONG);
        Change complete = new Change.Complete(value("done"), KEEP);
        Change release = new Change.Release(KEEP);
        Ticket one = win(bare(id(), LONG));
        Ticket two = win(bare(id(), LONG));
        List<BatchItemResult<UpdateResult>> answers = store().updateAll(List.of(
                new RecordUpdate(one, renew),
                new RecordUpdate(two, release),
                new RecordUpdate(one, complete),
                new RecordUpdate(two, complete),
                new RecordUpdate(one, complete),
                new RecordUpdate(one, renew)));
        assertThat(answers.stream().map(BatchItemResult::get))
                .containsExactly(
                        UpdateResult.APPLIED,
                        UpdateResult.APPLIED,
                        UpdateResult.APPLIED,
                        UpdateResult.LOST,
                        UpdateResult.APPLIED,
                        UpdateResult.LOST);
        assertThat(find(one.id()).status()).isEqualTo(Status.SUCCESS);
        assertThat(find(two.id()).status()).isEqualTo(Status.FREE);
    }

    @Test
    @Tag("invariant-21")
    void a_failing_item_fails_alone() {
        StoredRecord there = bring(Status.PROCESSING, LONG);
        RecordId forged = RecordId.stored(
                there.id().high(),
                there.id().low(),
                "other",
                there.id().operation(),
                there.id().key());
        Claim before = bare(id(), LONG);
        Claim after = bare(id(), LONG);
        List<BatchItemResult<ClaimResult>> claims = store().claimAll(List.of(before, bare(forged, LONG), after));
        assertThat(claims.get(0).get()).isInstanceOf(ClaimResult.Acquired.class);
        assertThatThrownBy(() -> claims.get(1).get()).isInstanceOf(RuntimeException.class);
        assertThat(claims.get(2).get()).isInstanceOf(ClaimResult.Acquired.class);

        Change release = new Change.Release(KEEP);
        List<BatchItemResult<UpdateResult>> updates = store().updateAll(List.of(
                new RecordUpdate(find(before.id()).ticket(), release),
                new RecordUpdate(new Ticket(forged, there.owner(), there.fence()), release),
                new RecordUpdate(find(after.id()).ticket(), release)));
        assertThat(updates.get(0).get()).isEqualTo(UpdateResult.APPLIED);
        assertThatThrownBy(() -> updates.get(1).get()).isInstanceOf(RuntimeException.class);
        assertThat(updates.get(2).get()).isEqualTo(UpdateResult.APPLIED);
        unchanged(RecordImage.of(there), there.id());
    }

    @Test
    void a_large_batch_answers_in_its_order() {
        List<Claim> claims = new ArrayList<>();
        StoredRecord done = bring(Status.SUCCESS, LONG);
        for (int i = 0; i < 300; i++) {
            claims.add(i % 7 == 3 ? bare(done.id(), LONG) : full(id(), LONG));
        }
        List<BatchItemResult<ClaimResult>> answers = store().claimAll(claims);
        assertThat(answers).hasSize(300);
        List<RecordUpdate> completions = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ClaimResult claimed = answers.get(i).get();
            if (i % 7 == 3) {
                assertThat(((RecordSnapshot) claimed).record().payload()).isEqualTo(done.payload());
            } else {
                Claim claim = claims.get(i);
                Ticket ticket = new Ticket(claim.id(), claim.owner(), ((ClaimResult.Acquired) claimed).fence());
                completions.add(new RecordUpdate(ticket, new Change.Complete(value("result " + i), KEEP)));
            }
        }
        assertThat(store().updateAll(completions)).allMatch(answer -> answer.get() == UpdateResult.APPLIED);
        for (RecordUpdate update : completions) {
            Change.Complete complete = (Change.Complete) update.change();
            assertThat(find(update.ticket().id()).payload()).isEqualTo(complete.result());
            assertThat(find(update.ticket().id()).ticket()).isEqualTo(update.ticket());
        }
    }
}
