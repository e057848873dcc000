package io.onefold.store;

import io.onefold.store.Change.Amend;
import io.onefold.store.Change.Complete;
import io.onefold.store.Change.Fail;
import io.onefold.store.Change.MarkUnknown;
import io.onefold.store.Change.Mirror;
import io.onefold.store.Change.Release;
import io.onefold.store.Change.Renew;
import io.onefold.store.Change.SaveCheckpoint;
import io.onefold.store.Change.Settle;
import io.onefold.store.StoredRecord.RecordFingerprints;
import io.onefold.store.StoredRecord.RecordTimes;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Every compare-and-set rule as a pure function of the record, the wish and the store's now: what a store that can run code beside
 * its data does under the record's lock. Null means that the wish is refused; the very same record, that it was granted before.
 */
final class RecordTransitions {
    private RecordTransitions() {}

    static StoredRecord insert(Claim claim, long fence, long createdAt, long now) {
        RecordTimes times = new RecordTimes(createdAt, now, now + micros(claim.lease()), 0, 0);
        RecordFingerprints prints =
                new RecordFingerprints(claim.print().hash(), claim.print().fields(), claim.superseded());
        return new StoredRecord(
                claim.id(),
                Status.PROCESSING,
                claim.owner(),
                fence,
                claim.attempts(),
                times,
                prints,
                null,
                claim.checkpoint(),
                claim.bizId());
    }

    /**
     * The record after a change.
     *
     * @param earlier the finished record that the open one was claimed to overwrite, if it was
     */
    static @Nullable StoredRecord apply(
            StoredRecord record, @Nullable StoredRecord earlier, Ticket ticket, Change change, long now) {
        if (change instanceof Mirror mirror) {
            return overtakes(mirror.record(), record) ? mirrored(mirror, now) : null;
        }
        if (change instanceof Settle settle) {
            return settled(record, earlier, ticket, settle, now);
        }
        if (change instanceof Release && ColumnUpdate.of(change).madeBefore(record, ticket)) {
            return record;
        }
        if (!holds(ticket, record)) {
            return null;
        }
        if (change instanceof Complete complete) {
            return ended(record, unfinished(record), Status.SUCCESS, complete.result(), complete.keep(), now);
        }
        if (change instanceof Amend amend) {
            boolean done = record.status() == Status.SUCCESS;
            return done ? end(record, Status.SUCCESS, amend.result(), amend.keep(), now) : null;
        }
        if (change instanceof Fail fail) {
            return ended(record, unfinished(record), Status.FAILED, fail.failure(), fail.keep(), now);
        }
        if (change instanceof Release release) {
            return unfinished(record) ? released(record, earlier, release, now) : null;
        }
        boolean processing = record.status() == Status.PROCESSING;
        if (change instanceof MarkUnknown unknown) {
            boolean may = processing && (!unknown.leaseOver() || record.leaseOver(now));
            return record.status() == Status.UNKNOWN ? record : may ? doubted(record, unknown.note(), now) : null;
        }
        if (!processing) {
            return null;
        }
        if (change instanceof Renew renew) {
            return running(record, now + micros(renew.lease()), record.checkpoint(), now);
        }
        return running(record, record.times().leaseUntil(), ((SaveCheckpoint) change).data(), now);
    }

    static StoredRecord mirrored(Mirror mirror, long now) {
        StoredRecord copy = mirror.record();
        long expireAt = now + micros(mirror.keepLeft());
        long goneAt = expireAt + micros(mirror.tombstone());
        RecordTimes times =
                new RecordTimes(copy.times().createdAt(), now, now + micros(mirror.leaseLeft()), expireAt, goneAt);
        return with(copy, copy.status(), times, copy.payload(), copy.checkpoint());
    }

    /** Returns the remains of an expired record while its tombstone stands. */
    static StoredRecord stripped(StoredRecord record) {
        RecordFingerprints prints =
                new RecordFingerprints(record.prints().hash(), record.prints().fields(), List.of());
        return new StoredRecord(
                record.id(),
                record.status(),
                record.owner(),
                record.fence(),
                record.attempts(),
                record.times(),
                prints,
                null,
                null,
                record.bizId());
    }

    private static boolean holds(Ticket ticket, StoredRecord record) {
        return record.fence() == ticket.fence() && record.owner().equals(ticket.owner());
    }

    private static boolean overtakes(StoredRecord copy, StoredRecord stored) {
        return copy.fence() > stored.fence() || (copy.fence() == stored.fence() && unfinished(stored));
    }

    private static boolean unfinished(StoredRecord record) {
        return record.status() == Status.PROCESSING || record.status() == Status.UNKNOWN;
    }

    private static StoredRecord released(
            StoredRecord record, @Nullable StoredRecord earlier, Release release, long now) {
        if (earlier != null) {
            return restored(earlier, record, record.ticket().withdrawn(), now);
        }
        StoredRecord free = end(record, Status.FREE, null, release.keep(), now);
        return release.counts() ? free : held(free, free.owner(), free.fence(), free.attempts() - 1);
    }

    /** The end that was to be overwritten, under a fence above that of the attempt which had no effect. */
    private static StoredRecord restored(StoredRecord earlier, StoredRecord record, UUID owner, long now) {
        RecordTimes was = earlier.times();
        RecordTimes times = new RecordTimes(was.createdAt(), now, 0, was.expireAt(), was.goneAt());
        StoredRecord end = with(earlier, earlier.status(), times, earlier.payload(), null);
        return held(end, owner, Math.max(record.fence() + 1, now), earlier.attempts());
    }

    private static @Nullable StoredRecord settled(
            StoredRecord record, @Nullable StoredRecord earlier, Ticket ticket, Settle settle, long now) {
        if (ColumnUpdate.of(settle).madeBefore(record, ticket)) {
            return record;
        }
        boolean stuck = settle.anyway() ? unfinished(record) : record.status() == Status.UNKNOWN;
        if (!stuck || !holds(ticket, record)) {
            return null;
        }
        if (earlier != null && settle.to() == Status.FREE) {
            return restored(earlier, record, settle.settler(), now);
        }
        StoredRecord ended = end(record, settle.to(), settle.payload(), settle.keep(), now);
        int attempts = settle.to() == Status.FREE && settle.anyway() ? 0 : record.attempts();
        return held(ended, settle.settler(), Math.max(record.fence() + 1, now), attempts);
    }

    private static StoredRecord held(StoredRecord record, UUID owner, long fence, int attempts) {
        return new StoredRecord(
                record.id(),
                record.status(),
                owner,
                fence,
                attempts,
                record.times(),
                record.prints(),
                record.payload(),
                record.checkpoint(),
                record.bizId());
    }

    private static @Nullable StoredRecord ended(
            StoredRecord record,
            boolean may,
            Status to,
            @Nullable ResultPayload payload,
            RetentionPeriod keep,
            long now) {
        return record.status() == to ? record : may ? end(record, to, payload, keep, now) : null;
    }

    private static StoredRecord end(
            StoredRecord record, Status to, @Nullable ResultPayload payload, RetentionPeriod keep, long now) {
        long expireAt = now + micros(keep.duration());
        long goneAt = to == Status.FREE ? expireAt : expireAt + micros(keep.tombstone());
        RecordTimes times = new RecordTimes(record.times().createdAt(), now, 0, expireAt, goneAt);
        return with(record, to, times, payload, to == Status.FREE ? record.checkpoint() : null);
    }

    private static StoredRecord doubted(StoredRecord record, ResultPayload note, long now) {
        RecordTimes times =
                new RecordTimes(record.times().createdAt(), now, record.times().leaseUntil(), 0, 0);
        return with(record, Status.UNKNOWN, times, note, record.checkpoint());
    }

    private static StoredRecord running(StoredRecord record, long leaseUntil, byte @Nullable [] checkpoint, long now) {
        RecordTimes times = new RecordTimes(record.times().createdAt(), now, leaseUntil, 0, 0);
        return with(record, Status.PROCESSING, times, null, checkpoint);
    }

    private static StoredRecord with(
            StoredRecord record,
            Status status,
            RecordTimes times,
            @Nullable ResultPayload payload,
            byte @Nullable [] checkpoint) {
        return new StoredRecord(
                record.id(),
                status,
                record.owner(),
                record.fence(),
                record.attempts(),
                times,
                record.prints(),
                payload,
                checkpoint,
                record.bizId());
    }

    static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
