package io.onefold.redis;

import io.onefold.store.RecordId;
import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.StoredRecord.RecordFingerprints;
import io.onefold.store.StoredRecord.RecordTimes;
import io.onefold.store.UnreadableRecordException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A record as one value: a head of 64 bytes, which the scripts read and write, and four parts that only this class understands.
 * Names and prints are written once, by the claim; checkpoint and payload, by what comes after it.
 *
 * <pre>
 * 1  version of this layout      7  created at                3  attempts
 * 1  status, and 8 if waited for 7  updated at                2  length of the names
 * 16 owner                       7  end of the lease or keep  3  length of the prints
 * 7  fence                       7  end of the tombstone      3  length of the checkpoint
 * </pre>
 *
 * An open record has no tombstone. The field of its end holds the length of a fifth part instead: the whole record that this one was claimed
 * to overwrite. The scripts put that record back if nothing is carried out.
 */
final class RecordLayout {
    private static final int VERSION = 1;
    private static final int HEAD = 64;
    private static final int WAITED = 8;

    /** Each is written as its place in this list, which never changes. */
    private static final List<ResultPayload.Kind> KINDS = List.of(
            ResultPayload.Kind.NOTHING,
            ResultPayload.Kind.VALUE,
            ResultPayload.Kind.NOT_KEPT,
            ResultPayload.Kind.FAILURE,
            ResultPayload.Kind.NOTE);

    private static final byte[] NOTHING = {};

    private RecordLayout() {}

    static byte[] names(RecordId id, String key) {
        return new BinaryWriter()
                .text(id.scope())
                .text(id.operation())
                .text(key)
                .bytes();
    }

    static byte[] prints(
            byte @Nullable [] hash, byte @Nullable [] fields, List<byte[]> superseded, @Nullable String bizId) {
        BinaryWriter writer =
                new BinaryWriter().data(hash).data(fields).text(bizId).number(superseded.size());
        superseded.forEach(writer::data);
        return writer.bytes();
    }

    /** What comes after the times of a new record. */
    static byte[] begun(int attempts, byte[] names, byte[] prints, byte[] checkpoint) {
        return new BinaryWriter()
                .fixed(attempts, 3)
                .fixed(names.length, 2)
                .fixed(prints.length, 3)
                .fixed(checkpoint.length, 3)
                .rest(names)
                .rest(prints)
                .rest(checkpoint)
                .bytes();
    }

    /** Nothing for none. */
    static byte[] checkpoint(byte @Nullable [] checkpoint) {
        return checkpoint == null
                ? NOTHING
                : new BinaryWriter().number(1).rest(checkpoint).bytes();
    }

    /** Nothing for none. */
    static byte[] payload(@Nullable ResultPayload payload) {
        return payload == null
                ? NOTHING
                : new BinaryWriter()
                        .number(KINDS.indexOf(payload.kind()))
                        .text(payload.codec())
                        .number(payload.version())
                        .text(payload.keyId())
                        .rest(payload.bytes())
                        .bytes();
    }

    static StoredRecord record(UUID id, byte[] value) {
        try {
            return read(id, value);
        } catch (RuntimeException e) {
            throw new UnreadableRecordException(
                    "a record of " + value.length + " bytes cannot be read: " + e.getMessage(), e);
        }
    }

    private static StoredRecord read(UUID id, byte[] value) {
        BinaryReader head = new BinaryReader(value, 0, HEAD);
        int version = (int) head.fixed(1);
        if (version != VERSION) {
            throw new IllegalStateException("its layout is " + version + ", and this version of Onefold knows "
                    + VERSION + " alone: it was written by a later one");
        }
        Status status = Status.of((int) head.fixed(1) % WAITED);
        UUID owner = new UUID(head.fixed(8), head.fixed(8));
        long fence = head.fixed(7);
        long createdAt = head.fixed(7);
        long updatedAt = head.fixed(7);
        long ends = head.fixed(7);
        long gone = head.fixed(7);
        boolean open = !status.sweepable();
        RecordTimes times = new RecordTimes(createdAt, updatedAt, open ? ends : 0, open ? 0 : ends, open ? 0 : gone);
        int attempts = (int) head.fixed(3);
        BinaryReader names = new BinaryReader(value, HEAD, (int) head.fixed(2));
        BinaryReader prints = new BinaryReader(value, names.end(), (int) head.fixed(3));
        BinaryReader checkpoint = new BinaryReader(value, prints.end(), (int) head.fixed(3));
        int earlier = open ? (int) gone : 0;
        BinaryReader payload = new BinaryReader(value, checkpoint.end(), value.length - earlier - checkpoint.end());
        RecordId named = RecordId.stored(
                id.getMostSignificantBits(),
                id.getLeastSignificantBits(),
                names.requiredText(),
                names.requiredText(),
                names.requiredText());
        byte[] hash = prints.data();
        byte[] fields = prints.data();
        String bizId = prints.text();
        RecordFingerprints known = new RecordFingerprints(hash, fields, prints.list());
        return new StoredRecord(
                named, status, owner, fence, attempts, times, known, payload(payload), checkpoint(checkpoint), bizId);
    }

    private static byte @Nullable [] checkpoint(BinaryReader reader) {
        if (reader.isEmpty()) {
            return null;
        }
        reader.number();
        return reader.rest();
    }

    private static @Nullable ResultPayload payload(BinaryReader reader) {
        if (reader.isEmpty()) {
            return null;
        }
        ResultPayload.Kind kind = KINDS.get(reader.number());
        return new ResultPayload(kind, reader.requiredText(), reader.number(), reader.text(), reader.rest());
    }

    /** The value of a finished record as its tombstone. */
    static byte[] stripped(StoredRecord record) {
        byte[] names = names(record.id(), record.id().key());
        byte[] prints = prints(record.prints().hash(), record.prints().fields(), List.of(), record.bizId());
        return new BinaryWriter()
                .fixed(VERSION, 1)
                .fixed(record.status().code(), 1)
                .fixed(record.owner().getMostSignificantBits(), 8)
                .fixed(record.owner().getLeastSignificantBits(), 8)
                .fixed(record.fence(), 7)
                .fixed(record.times().createdAt(), 7)
                .fixed(record.times().updatedAt(), 7)
                .fixed(record.times().expireAt(), 7)
                .fixed(record.times().goneAt(), 7)
                .rest(begun(record.attempts(), names, prints, NOTHING))
                .bytes();
    }
}
