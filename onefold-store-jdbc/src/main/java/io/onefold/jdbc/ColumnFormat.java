package io.onefold.jdbc;

import io.onefold.store.RecordId;
import io.onefold.store.ResultPayload;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Formats a payload's description, names and lists of hashes for a column or parameter. */
final class ColumnFormat {
    private ColumnFormat() {}

    /** {@code VALUE/1/json}, with the key's id after it where the payload is sealed. */
    static @Nullable String of(@Nullable ResultPayload payload) {
        if (payload == null) {
            return null;
        }
        String format = payload.kind() + "/" + payload.version() + "/" + payload.codec();
        if (payload.codec().indexOf('/') >= 0) {
            throw new IllegalArgumentException("codec id \"" + payload.codec() + "\" must not contain '/'");
        }
        return payload.keyId() == null ? format : format + "/" + payload.keyId();
    }

    static @Nullable ResultPayload payload(@Nullable String format, byte @Nullable [] bytes) {
        if (format == null) {
            return null;
        }
        String[] parts = format.split("/", 4);
        if (parts.length < 3) {
            throw new IllegalStateException("result_format is \"" + format + "\", not kind/version/codec");
        }
        return new ResultPayload(
                ResultPayload.Kind.valueOf(parts[0]),
                parts[2],
                Integer.parseInt(parts[1]),
                parts.length == 4 ? parts[3] : null,
                bytes == null ? new byte[0] : bytes);
    }

    /** Joins the parts of an id into one text, one part a line. No part contains a line break. */
    static String names(RecordId id, String key) {
        return id.scope() + '\n' + id.operation() + '\n' + key;
    }

    /** Joins the hashes, each with its length before it. Returns null if there are none. */
    static byte @Nullable [] joined(List<byte[]> hashes) {
        if (hashes.isEmpty()) {
            return null;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] hash : hashes) {
            all.write(hash.length >>> 8);
            all.write(hash.length);
            all.writeBytes(hash);
        }
        return all.toByteArray();
    }

    static List<byte[]> split(byte @Nullable [] joined) {
        if (joined == null) {
            return List.of();
        }
        List<byte[]> hashes = new ArrayList<>();
        for (int at = 0; at < joined.length; ) {
            int length = (joined[at] & 0xff) << 8 | (joined[at + 1] & 0xff);
            hashes.add(Arrays.copyOfRange(joined, at + 2, at + 2 + length));
            at += 2 + length;
        }
        return List.copyOf(hashes);
    }
}
