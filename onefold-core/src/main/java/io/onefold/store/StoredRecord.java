package io.onefold.store;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A record as a store holds it.
 *
 * @param owner 128 random bits of the attempt (or settlement) that holds or ended the record
 * @param fence raised by every claim and settlement, never repeated for a key
 * @param attempts how often the work was begun since the record was new
 * @param checkpoint what the work saved to resume from
 * @param bizId a business id to look the record up by
 */
public record StoredRecord(
        RecordId id,
        Status status,
        UUID owner,
        long fence,
        int attempts,
        RecordTimes times,
        RecordFingerprints prints,
        @Nullable ResultPayload payload,
        byte @Nullable [] checkpoint,
        @Nullable String bizId) {

    /**
     * UTC microseconds by the store's own clock.
     *
     * @param createdAt when the record was new; a next attempt at it changes nothing
     * @param leaseUntil until when the owner is presumed alive; meaningful while PROCESSING
     * @param expireAt when the keep is over; meaningful for SUCCESS, FAILED and FREE
     * @param goneAt when the tombstone may go too; not before {@code expireAt}
     */
    public record RecordTimes(long createdAt, long updatedAt, long leaseUntil, long expireAt, long goneAt) {}

    /**
     * The stored fingerprints of the payload.
     *
     * @param hash its fingerprint, null where none was given
     * @param fields salted hashes of its fields
     * @param superseded fingerprints that it has overwritten, oldest first
     */
    public record RecordFingerprints(byte @Nullable [] hash, byte @Nullable [] fields, List<byte[]> superseded) {}

    public Ticket ticket() {
        return new Ticket(id, owner, fence);
    }

    /** The same record under another identity. */
    public StoredRecord filed(RecordId under) {
        return new StoredRecord(under, status, owner, fence, attempts, times, prints, payload, checkpoint, bizId);
    }

    /** No attempt at it ever began its work, or a person has said that none counts: nobody has acted on its payload. */
    public boolean unbegun() {
        return status == Status.FREE && attempts == 0;
    }

    public boolean leaseOver(long now) {
        return status == Status.PROCESSING && times.leaseUntil <= now;
    }

    /** The keep is over: the record no longer answers. */
    public boolean expired(long now) {
        return status.sweepable() && times.expireAt <= now;
    }

    /** The tombstone's time is over, too: the record may go, or make room for a new one. */
    public boolean gone(long now) {
        return status.sweepable() && times.goneAt <= now;
    }

    @Override
    public String toString() {
        return id + "[" + status + ", fence " + fence + ", attempt " + attempts + "]";
    }
}
