package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.store.Answer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.Take.Grounds;
import io.onefold.store.Ticket;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many at once: each item as if it had come alone, in its place. */
abstract class BatchCases extends Cases {
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
        List<Answer<Claimed>> answers = store().claimAll(List.of(first, second, first));
        long fence = ((Claimed.Won) answers.get(0).get()).fence();
        StoredRecord seen = ((Seen) answers.get(1).get()).record();
        assertThat(seen.owner()).isEqualTo(first.owner());
        assertThat(((Claimed.Won) answers.get(2).get()).fence()).isEqualTo(fence);
        assertThat(find(first.id()).ticket()).isEqualTo(new Ticket(first.id(), first.owner(), fence));
    }

    @Test
    void of_two_takes_of_one_record_the_first_wins() {
        StoredRecord free = bring(Status.FREE, LONG);
        Claim first = full(free.id(), LONG).retaking(Grounds.FREE, free, List.of());
        Claim second = full(free.id(), LONG).retaking(Grounds.FREE, free, List.of());
        List<Answer<Claimed>> answers = store().claimAll(List.of(first, second));
        assertThat(answers.get(0).get()).isInstanceOf(Claimed.Won.class);
        assertThat(answers.get(1).get()).isInstanceOf(Seen.class);
        assertThat(find(free.id()).owner()).isEqualTo(first.owner());
    }

    @Test
    void changes_to_one_record_are_served_in_their_order() {
        Change renew = new Change.Renew(LONG);
        Change complete = new Change.Complete(value("done"), KEEP);
        Change release = new Change.Release(KEEP);
        Ticket one = win(bare(id(), LONG));
        Ticket two = win(bare(id(), LONG));
        List<Answer<Updated>> answers = store().updateAll(List.of(
                new Update(one, renew),
                new Update(two, release),
                new Update(one, complete),
                new Update(two, complete),
                new Update(one, complete),
                new Update(one, renew)));
        assertThat(answers.stream().map(Answer::get))
                .containsExactly(
                        Updated.APPLIED, Updated.APPLIED, Updated.APPLIED, Updated.LOST, Updated.APPLIED, Updated.LOST);
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
        List<Answer<Claimed>> claims = store().claimAll(List.of(before, bare(forged, LONG), after));
        assertThat(claims.get(0).get()).isInstanceOf(Claimed.Won.class);
        assertThatThrownBy(() -> claims.get(1).get()).isInstanceOf(RuntimeException.class);
        assertThat(claims.get(2).get()).isInstanceOf(Claimed.Won.class);

        Change release = new Change.Release(KEEP);
        List<Answer<Updated>> updates = store().updateAll(List.of(
                new Update(find(before.id()).ticket(), release),
                new Update(new Ticket(forged, there.owner(), there.fence()), release),
                new Update(find(after.id()).ticket(), release)));
        assertThat(updates.get(0).get()).isEqualTo(Updated.APPLIED);
        assertThatThrownBy(() -> updates.get(1).get()).isInstanceOf(RuntimeException.class);
        assertThat(updates.get(2).get()).isEqualTo(Updated.APPLIED);
        unchanged(Picture.of(there), there.id());
    }

    @Test
    void a_large_batch_answers_in_its_order() {
        List<Claim> claims = new ArrayList<>();
        StoredRecord done = bring(Status.SUCCESS, LONG);
        for (int i = 0; i < 300; i++) {
            claims.add(i % 7 == 3 ? bare(done.id(), LONG) : full(id(), LONG));
        }
        List<Answer<Claimed>> answers = store().claimAll(claims);
        assertThat(answers).hasSize(300);
        List<Update> completions = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Claimed claimed = answers.get(i).get();
            if (i % 7 == 3) {
                assertThat(((Seen) claimed).record().payload()).isEqualTo(done.payload());
            } else {
                Claim claim = claims.get(i);
                Ticket ticket = new Ticket(claim.id(), claim.owner(), ((Claimed.Won) claimed).fence());
                completions.add(new Update(ticket, new Change.Complete(value("result " + i), KEEP)));
            }
        }
        assertThat(store().updateAll(completions)).allMatch(answer -> answer.get() == Updated.APPLIED);
        for (Update update : completions) {
            Change.Complete complete = (Change.Complete) update.change();
            assertThat(find(update.ticket().id()).payload()).isEqualTo(complete.result());
            assertThat(find(update.ticket().id()).ticket()).isEqualTo(update.ticket());
        }
    }
}
