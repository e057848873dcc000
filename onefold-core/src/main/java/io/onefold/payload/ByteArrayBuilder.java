package io.onefold.payload;

import java.util.Arrays;

/** A growing buffer of bytes. */
final class ByteArrayBuilder {

    /** Room for most, so that few have to move. */
    private byte[] buffer = new byte[512];

    private int size;

    int size() {
        return size;
    }

    /** Returns the byte that was added last; there must be one. */
    byte last() {
        return buffer[size - 1];
    }

    void truncate(int to) {
        size = to;
    }

    /** A copy of what was put in since then. */
    byte[] cut(int from) {
        return Arrays.copyOfRange(buffer, from, size);
    }

    void put(int value) {
        ensure(1);
        buffer[size++] = (byte) value;
    }

    void put(byte[] bytes) {
        put(bytes, 0, bytes.length);
    }

    void put(byte[] bytes, int from, int to) {
        int count = to - from;
        ensure(count);
        System.arraycopy(bytes, from, buffer, size, count);
        size += count;
    }

    /** The number of bytes that follow, in four, and then the text. */
    void putPrefixed(String text) {
        ensure(4);
        int length = size;
        size += 4;
        put(text);
        int written = size - length - 4;
        for (int i = 0; i < 4; i++) {
            buffer[length + i] = (byte) (written >>> (24 - 8 * i));
        }
    }

    /** Every UTF-16 unit as UTF-8 writes a character, also one half of a pair: no two texts are written alike. */
    void put(String text) {
        ensure(Math.multiplyExact(3, text.length()));
        byte[] out = buffer;
        int at = size;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                out[at++] = (byte) c;
                continue;
            }
            if (c < 0x800) {
                out[at++] = (byte) (0xC0 | (c >> 6));
            } else {
                out[at++] = (byte) (0xE0 | (c >> 12));
                out[at++] = (byte) (0x80 | ((c >> 6) & 0x3F));
            }
            out[at++] = (byte) (0x80 | (c & 0x3F));
        }
        size = at;
    }

    private void ensure(int extra) {
        if (buffer.length - size < extra) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, Math.addExact(size, extra)));
        }
    }
}
