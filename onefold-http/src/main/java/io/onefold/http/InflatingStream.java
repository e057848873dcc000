package io.onefold.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes {@code gzip} and {@code deflate} to the last byte: sums are checked, and nothing may follow. The JDK's own stream calls itself
 * for every member of a gzip file, so that many empty ones exhaust the stack.
 */
final class InflatingStream extends InputStream {
    private static final int HAS_SUM = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;
    private static final int RESERVED = 0xE0;

    private final InputStream in;
    private final boolean gzip;
    private final Inflater inflater;
    private final CRC32 sum = new CRC32();
    private final byte[] buffer = new byte[1 << 13];
    private int at;
    private int end;
    private boolean over;

    private InflatingStream(InputStream in, boolean gzip) throws IOException {
        this.in = in;
        this.gzip = gzip;
        if (gzip) {
            header();
        }
        inflater = new Inflater(gzip || !isZlib());
    }

    static InputStream gzip(InputStream in) throws IOException {
        return new InflatingStream(in, true);
    }

    /** In a zlib wrapper as RFC 9110 wants it, or without, as some clients send it. */
    static InputStream deflate(InputStream in) throws IOException {
        return new InflatingStream(in, false);
    }

    private boolean isZlib() throws IOException {
        while (end < 2) {
            int more = in.read(buffer, end, buffer.length - end);
            if (more < 0) {
                return true;
            }
            end += more;
        }
        int first = buffer[0] & 0xFF;
        return (first & 0x0F) == 8 && (first << 8 | (buffer[1] & 0xFF)) % 31 == 0;
    }

    private void header() throws IOException {
        int id = next() | next() << 8;
        int method = next();
        int flags = next();
        if (id != 0x8B1F || method != 8 || (flags & RESERVED) != 0) {
            throw InvalidBodyException.invalid("The body is not gzip, though its Content-Encoding says so");
        }
        skip(6);
        if ((flags & HAS_EXTRA) != 0) {
            skip(next() | next() << 8);
        }
        if ((flags & HAS_NAME) != 0) {
            skipText();
        }
        if ((flags & HAS_COMMENT) != 0) {
            skipText();
        }
        if ((flags & HAS_SUM) != 0) {
            skip(2);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int count) throws IOException {
        Objects.checkFromIndexSize(from, count, into.length);
        while (!over && count > 0) {
            int now = inflate(into, from, count);
            if (now > 0) {
                sum.update(into, from, now);
                return now;
            }
            if (inflater.finished()) {
                endMember();
            } else if (inflater.needsDictionary()) {
                throw InvalidBodyException.invalid("The body is compressed by a dictionary that did not come with it");
            } else {
                feed();
            }
        }
        return count == 0 ? 0 : -1;
    }

    private int inflate(byte[] into, int from, int count) throws IOException {
        try {
            return inflater.inflate(into, from, count);
        } catch (DataFormatException e) {
            throw InvalidBodyException.invalid("The body is compressed, but damaged");
        }
    }

    /** The inflater counts what it has not used; until it ends, that is its own. */
    private void feed() throws IOException {
        if (at == end && !fill()) {
            throw InvalidBodyException.invalid("The compressed body ends too early");
        }
        inflater.setInput(buffer, at, end - at);
        at = end;
    }

    private void endMember() throws IOException {
        at = end - inflater.getRemaining();
        long written = inflater.getBytesWritten();
        if (gzip && (number() != sum.getValue() || number() != (written & 0xFFFF_FFFFL))) {
            throw InvalidBodyException.invalid("The body is compressed, but its sum is wrong");
        }
        over = at == end && !fill();
        if (over) {
            return;
        }
        if (!gzip) {
            throw InvalidBodyException.invalid("The compressed body goes on after its end");
        }
        header();
        inflater.reset();
        sum.reset();
    }

    private long number() throws IOException {
        return next() | next() << 8 | next() << 16 | (long) next() << 24;
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            next();
        }
    }

    private void skipText() throws IOException {
        while (next() != 0) {}
    }

    private int next() throws IOException {
        if (at == end && !fill()) {
            throw InvalidBodyException.invalid("The compressed body ends too early");
        }
        return buffer[at++] & 0xFF;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = Math.max(0, in.read(buffer, 0, buffer.length));
        return end > 0;
    }

    @Override
    public void close() throws IOException {
        over = true;
        inflater.end();
        in.close();
    }
}
