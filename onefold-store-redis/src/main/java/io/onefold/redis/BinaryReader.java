package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a part of a value. What is cut short is an {@link IndexOutOfBoundsException}. */
final class BinaryReader {
    private final byte[] value;
    private final int end;
    private int at;

    BinaryReader(byte[] value, int from, int length) {
        Objects.checkFromIndexSize(from, length, value.length);
        this.value = value;
        this.at = from;
        this.end = from + length;
    }

    int end() {
        return end;
    }

    boolean isEmpty() {
        return at == end;
    }

    long fixed(int size) {
        long read = 0;
        for (int i = 0; i < size; i++) {
            read = read << 8 | next();
        }
        return read;
    }

    int number() {
        int read = 0;
        int shift = 0;
        int part;
        do {
            part = next();
            read |= (part & 0x7f) << shift;
            shift += 7;
        } while (part > 0x7f);
        return read;
    }

    @Nullable
    String text() {
        byte[] read = data();
        return read == null ? null : new String(read, UTF_8);
    }

    String requiredText() {
        return Objects.requireNonNull(text(), "a name is missing");
    }

    byte @Nullable [] data() {
        int length = number() - 1;
        return length < 0 ? null : take(length);
    }

    List<byte[]> list() {
        int size = number();
        List<byte[]> read = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            read.add(Objects.requireNonNull(data(), "an item is missing"));
        }
        return List.copyOf(read);
    }

    byte[] rest() {
        return take(end - at);
    }

    private byte[] take(int length) {
        Objects.checkFromIndexSize(at, length, end);
        at += length;
        return Arrays.copyOfRange(value, at - length, at);
    }

    private int next() {
        return value[Objects.checkIndex(at++, end)] & 0xff;
    }
}
