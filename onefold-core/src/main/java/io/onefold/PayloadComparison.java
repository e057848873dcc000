package io.onefold;

import io.onefold.payload.Fingerprint;
import io.onefold.payload.FingerprintKeys;
import io.onefold.store.StoredFingerprint;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The payload at hand against the one a record was made for. Without one of them there is nothing to compare. */
record PayloadComparison(FingerprintKeys keys, @Nullable Fingerprint payload) {
    private static final int MAX_SUPERSEDED = 8;

    /** Returns the fingerprint in its stored form. The salt need only differ from record to record. */
    StoredFingerprint print(long salt) {
        Fingerprint known = payload;
        if (known == null) {
            return StoredFingerprint.NONE;
        }
        return StoredFingerprint.of(
                () -> keys.stored(known),
                () -> keys.storedFields(
                        known, ByteBuffer.allocate(8).putLong(salt).array()));
    }

    Decision.PayloadMatch with(StoredRecord record) {
        if (payload == null || isOf(record.prints().hash())) {
            return Decision.PayloadMatch.SAME;
        }
        for (byte[] old : record.prints().superseded()) {
            if (keys.matches(old, payload)) {
                return Decision.PayloadMatch.SUPERSEDED;
            }
        }
        return Decision.PayloadMatch.OTHER;
    }

    /** Returns true if the stored hash is that of this payload, or if either is missing. */
    boolean isOf(byte @Nullable [] stored) {
        return payload == null || stored == null || keys.matches(stored, payload);
    }

    /** Drops the canonical bytes after the comparison, so that a waiting caller holds no large payload. */
    void condense() {
        if (payload != null) {
            payload.condense();
        }
    }

    /** The names of the fields that differ, as far as the record knows any. */
    List<String> differing(StoredRecord record) {
        byte[] fields = record.prints().fields();
        return fields == null || payload == null ? List.of() : keys.differing(fields, payload);
    }

    /**
     * The payloads that a claim in the record's place supersedes: the record's own and those it had superseded, the oldest forgotten
     * first. None where nothing is overwritten: the record was expired, or never begun.
     */
    static List<byte[]> superseded(OperationPolicy policy, TakeoverReason grounds, StoredRecord record) {
        if (!policy.overwrite || grounds == TakeoverReason.EXPIRED) {
            return List.of();
        }
        List<byte[]> all = new ArrayList<>(record.prints().superseded());
        byte[] last = record.prints().hash();
        if (last != null) {
            all.add(last);
        }
        return List.copyOf(all.subList(Math.max(0, all.size() - MAX_SUPERSEDED), all.size()));
    }
}
