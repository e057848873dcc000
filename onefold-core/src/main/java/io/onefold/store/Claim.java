package io.onefold.store;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The wish to become the owner of a record: insert it where there is none, else say what is there; with a {@link Takeover}, take what
 * was seen if it is still so. Repeating a claim is safe: while the record is PROCESSING and inside its lease, it knows its owner.
 *
 * @param attempts the attempt number to write; the engine counts
 * @param take what was seen and why it may be taken; null claims only what is absent
 * @param overwrites the operation's finished records may change, because a new payload overwrites the old one or the result is amended:
 *     no cache may answer for it or copy what it meets
 * @param mark a mark at a front door: its fence stays below every fence of the truth
 */
public record Claim(
        RecordId id,
        UUID owner,
        Duration lease,
        int attempts,
        StoredFingerprint print,
        List<byte[]> superseded,
        byte @Nullable [] checkpoint,
        @Nullable String bizId,
        @Nullable Takeover take,
        boolean overwrites,
        boolean mark) {

    public Claim {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(owner, "owner");
        if (lease.isNegative() || lease.isZero()) {
            throw new IllegalArgumentException("lease must be positive, not " + lease);
        }
        if (attempts < 1) {
            throw new IllegalArgumentException("attempts must be at least 1, not " + attempts);
        }
    }

    public static Claim of(RecordId id, UUID owner, Duration lease) {
        return new Claim(id, owner, lease, 1, StoredFingerprint.NONE, List.of(), null, null, null, false, false);
    }

    public Claim print(StoredFingerprint to) {
        return new Claim(id, owner, lease, attempts, to, superseded, checkpoint, bizId, take, overwrites, mark);
    }

    public Claim bizId(@Nullable String to) {
        return new Claim(id, owner, lease, attempts, print, superseded, checkpoint, to, take, overwrites, mark);
    }

    public Claim overwriting() {
        return new Claim(id, owner, lease, attempts, print, superseded, checkpoint, bizId, take, true, mark);
    }

    /** Returns true if this claim is the one that made the record and its answer was lost. */
    public boolean recognises(StoredRecord record, long now) {
        return record.owner().equals(owner) && record.status() == Status.PROCESSING && !record.leaseOver(now);
    }

    /** The first claim on what is absent, whatever was to be taken before. */
    public Claim fresh() {
        return new Claim(id, owner, lease, 1, print, List.of(), null, bizId, null, overwrites, mark);
    }

    /** A next attempt at the record that was seen: it carries on what the earlier ones left. */
    public Claim retaking(Takeover.TakeoverReason grounds, StoredRecord seen, List<byte[]> superseding) {
        int next = seen.attempts() + 1;
        byte[] known = seen.prints().hash();
        StoredFingerprint carried = print.hash() == null && known != null
                ? StoredFingerprint.of(() -> known, () -> seen.prints().fields())
                : print;
        String named = bizId == null ? seen.bizId() : bizId;
        Takeover taking = new Takeover(grounds, seen.fence());
        return new Claim(
                id, owner, lease, next, carried, superseding, seen.checkpoint(), named, taking, overwrites, mark);
    }

    /** A first attempt in the place of the record that was seen. */
    public Claim replacing(Takeover.TakeoverReason grounds, StoredRecord seen, List<byte[]> superseding) {
        Takeover taking = new Takeover(grounds, seen.fence());
        return new Claim(id, owner, lease, 1, print, superseding, null, bizId, taking, overwrites, mark);
    }

    /** The mark that stands for this claim at a front door, under the identity it has there. */
    public Claim mark(RecordId there, Duration life, @Nullable Takeover taking) {
        return new Claim(there, owner, life, attempts, print, superseded, null, bizId, taking, overwrites, true);
    }
}
