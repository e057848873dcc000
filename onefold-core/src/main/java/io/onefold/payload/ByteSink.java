package io.onefold.payload;

import java.util.Arrays;

/** A growing buffer of bytes, and how numbers and texts are put into it. */
final class ByteSink {

    private byte[] buffer = new byte[128];
    private int size;

    int size() {
        return size;
    }

    void truncate(int to) {
        size = to;
    }

    /** A copy of what was put in since then. */
    byte[] cut(int from) {
        return Arrays.copyOfRange(buffer, from, size);
    }

    void put(byte b) {
        ensure(1);
        buffer[size++] = b;
    }

    void put(byte[] bytes) {
        ensure(bytes.length);
        System.arraycopy(bytes, 0, buffer, size, bytes.length);
        size += bytes.length;
    }

    /** Seven bits a byte, the lowest first. */
    void putLong(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            buffer[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[size++] = (byte) rest;
    }

    /**
     * The number of UTF-16 units, then UTF-8. A lone surrogate, which UTF-8 does not know, becomes the three bytes it
     * would have there: no two texts are written alike.
     */
    void putText(String text, int from, int to) {
        putLong(to - from);
        ensure(Math.multiplyExact(3, to - from));
        byte[] out = buffer;
        int at = size;
        for (int i = from; i < to; i++) {
            int c = text.charAt(i);
            if (c < 0x80) {
                out[at++] = (byte) c;
                continue;
            }
            if (Character.isHighSurrogate((char) c)) {
                c = text.codePointAt(i);
            }
            if (c < 0x800) {
                out[at++] = (byte) (0xC0 | (c >> 6));
            } else {
                if (c < 0x10000) {
                    out[at++] = (byte) (0xE0 | (c >> 12));
                } else {
                    out[at++] = (byte) (0xF0 | (c >> 18));
                    out[at++] = (byte) (0x80 | ((c >> 12) & 0x3F));
                    i++;
                }
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
