package io.onefold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.onefold.store.RecordId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where records stand: {@code onefold:{3f}…}, the first byte of the id as the tag of its bucket, the rest after it. There are enough
 * buckets to spread over a cluster, and few enough to look into all of them.
 */
final class KeyLayout {
    static final int BUCKETS = 256;

    private static final int REST = 15;
    private static final int LENGTH = 20;

    private final String prefix;
    private final List<RecordBucket> buckets;

    KeyLayout(String prefix) {
        this.prefix = NameCheck.prefix(prefix);
        this.buckets = IntStream.range(0, BUCKETS)
                .mapToObj(i -> RecordBucket.of(prefix, i))
                .toList();
    }

    String prefix() {
        return prefix;
    }

    List<RecordBucket> buckets() {
        return buckets;
    }

    RecordBucket bucket(RecordId id) {
        return buckets.get((int) (id.high() >>> 56));
    }

    RecordLocation of(RecordId id) {
        ByteBuffer bytes = ByteBuffer.allocate(16).putLong(id.high()).putLong(id.low());
        byte[] name = Base64.getUrlEncoder().encode(Arrays.copyOfRange(bytes.array(), 1, 16));
        return of(bucket(id), name);
    }

    RecordLocation of(RecordBucket bucket, byte[] name) {
        byte[] key = Arrays.copyOf(bucket.records(), bucket.records().length + name.length);
        System.arraycopy(name, 0, key, bucket.records().length, name.length);
        return new RecordLocation(bucket, key, name);
    }

    /** The place that a key names; null if it is none of a record. */
    @Nullable
    RecordLocation at(byte[] key) {
        int tag = prefix.length() + 2;
        if (key.length != tag + 3 + LENGTH) {
            return null;
        }
        try {
            RecordBucket bucket = buckets.get(HexFormat.fromHexDigits(new String(key, tag, 2, US_ASCII)));
            byte[] name = Arrays.copyOfRange(key, tag + 3, key.length);
            return Base64.getUrlDecoder().decode(name).length == REST ? new RecordLocation(bucket, key, name) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    static UUID id(RecordLocation place) {
        ByteBuffer bytes = ByteBuffer.allocate(16)
                .put((byte) place.bucket().number())
                .put(Base64.getUrlDecoder().decode(place.name()));
        return new UUID(bytes.getLong(0), bytes.getLong(8));
    }

    static String hex(int bucket) {
        return HexFormat.of().toHexDigits((byte) bucket);
    }
}
