package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordUpdate;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Store;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** The ways into a store; every case goes through each of them. */
enum StoreCallStyle {
    BLOCKING {
        @Override
        ClaimResult claim(Store store, Claim claim) {
            return store.claim(claim);
        }

        @Override
        UpdateResult update(Store store, Ticket ticket, Change change) {
            return store.update(ticket, change);
        }
    },

    /**
     * The call is in the middle of a batch. The other items must get their own results whatever becomes of this one.
     */
    BATCH {
        @Override
        ClaimResult claim(Store store, Claim claim) {
            Claim first = decoy();
            Claim last = decoy();
            List<BatchItemResult<ClaimResult>> answers = store.claimAll(List.of(first, claim, last));
            assertThat(answers).hasSize(3);
            wins(store, first, answers.get(0).get());
            wins(store, last, answers.get(2).get());
            return answers.get(1).get();
        }

        private static void wins(Store store, Claim decoy, ClaimResult claimed) {
            assertThat(claimed).isInstanceOf(ClaimResult.Acquired.class);
            Ticket ticket = new Ticket(decoy.id(), decoy.owner(), ((ClaimResult.Acquired) claimed).fence());
            assertThat(store.update(ticket, new Change.Release(KEEP))).isEqualTo(UpdateResult.APPLIED);
        }

        @Override
        UpdateResult update(Store store, Ticket ticket, Change change) {
            Claim decoy = decoy();
            Ticket held = new Ticket(decoy.id(), decoy.owner(), ((ClaimResult.Acquired) store.claim(decoy)).fence());
            Ticket stale =
                    new Ticket(RecordId.of("", "decoy", UUID.randomUUID().toString()), decoy.owner(), held.fence());
            List<BatchItemResult<UpdateResult>> answers = store.updateAll(List.of(
                    new RecordUpdate(stale, new Change.Renew(LEASE)),
                    new RecordUpdate(ticket, change),
                    new RecordUpdate(held, new Change.Release(KEEP))));
            assertThat(answers).hasSize(3);
            assertThat(answers.get(0).get()).isEqualTo(UpdateResult.LOST);
            assertThat(answers.get(2).get()).isEqualTo(UpdateResult.APPLIED);
            return answers.get(1).get();
        }
    },

    ASYNC {
        @Override
        ClaimResult claim(Store store, Claim claim) {
            return elsewhere(() -> store.claim(claim));
        }

        @Override
        UpdateResult update(Store store, Ticket ticket, Change change) {
            return elsewhere(() -> store.update(ticket, change));
        }

        private static <T> T elsewhere(Supplier<T> call) {
            try {
                return CompletableFuture.supplyAsync(call, task -> new Thread(task).start())
                        .join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        }
    };

    private static final Duration LEASE = Duration.ofHours(1);
    private static final RetentionPeriod KEEP = RetentionPeriod.of(Duration.ofDays(1));

    abstract ClaimResult claim(Store store, Claim claim);

    abstract UpdateResult update(Store store, Ticket ticket, Change change);

    private static Claim decoy() {
        return Claim.of(RecordId.of("", "decoy", UUID.randomUUID().toString()), UUID.randomUUID(), LEASE);
    }
}
