package io.onefold.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store of records. It has five verbs, each one atomic step by the store's own clock; no verb decides policy. A call
 * blocks until the store has answered. A {@link StoreException} says that the answer is not known. Every store passes
 * {@code onefold-store-contract}.
 */
public interface Store {

    /**
     * Claims each record: inserts what is absent, takes what {@link Takeover} allows, else returns what is there. A claim that finds
     * itself (same owner, PROCESSING, inside the lease) has won. Claims for one key are served in their order.
     *
     * @return an answer for each claim, in order
     */
    List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims);

    /**
     * Applies each change if its ticket still holds. Changes to one key are served in their order.
     *
     * @return an answer for each update, in order
     */
    List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates);

    /** The record as it is, expired or not; null where there is none. */
    @Nullable
    RecordSnapshot find(RecordId id);

    /** The matching records in an order of the store's own; each that matches throughout is listed exactly once. */
    RecordPage list(RecordFilter filter, @Nullable String cursor, int limit);

    /**
     * Removes up to {@code limit} finished or free records whose keep is over, and strips those whose tombstone stays of
     * everything but identity and fingerprint. A record that is claimed meanwhile survives.
     *
     * @return how many were removed or stripped; fewer than {@code limit} when there are no more
     */
    int sweep(int limit);

    /** Returns the signals that wake calls waiting for a record; null if this store has none. */
    default @Nullable RecordSignals signals() {
        return this instanceof RecordSignals signals ? signals : null;
    }

    /** Returns the transactions in which records are written together with the work; null if this store has none. */
    default @Nullable StoreTransactions joining() {
        return this instanceof StoreTransactions joining ? joining : null;
    }

    /** Copies of finished records that are nearer than the primary store, if there are any. */
    default @Nullable CacheTier tier() {
        return this instanceof CacheTier tier ? tier : null;
    }

    default ClaimResult claim(Claim claim) {
        return claimAll(List.of(claim)).get(0).get();
    }

    default UpdateResult update(Ticket ticket, Change change) {
        return updateAll(List.of(new RecordUpdate(ticket, change))).get(0).get();
    }
}
