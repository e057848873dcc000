package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes what {@link BinaryReader} reads: small numbers in few bytes, texts and bytes with their length plus one, 0 for none. */
final class BinaryWriter {
    private byte[] bytes = new byte[128];
    private int length;

    BinaryWriter fixed(long value, int size) {
        for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
            put((int) (value >>> shift));
        }
        return this;
    }

    BinaryWriter number(int value) {
        int rest = value;
        while (rest > 0x7f) {
            put(rest | 0x80);
            rest >>>= 7;
        }
        return put(rest);
    }

    BinaryWriter text(@Nullable String value) {
        return data(value == null ? null : value.getBytes(UTF_8));
    }

    BinaryWriter data(byte @Nullable [] value) {
        return value == null ? number(0) : number(value.length + 1).rest(value);
    }

    BinaryWriter rest(byte[] value) {
        reserve(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
        return this;
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    private BinaryWriter put(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
        return this;
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
