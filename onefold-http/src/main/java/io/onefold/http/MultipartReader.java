package io.onefold.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parts of a multipart body (RFC 2046) one after the other, with a small buffer however large they are. Strict where readers
 * disagree: lines end in CR LF, a line that begins with the boundary is a boundary, and the last one must come.
 *
 * <p>What separates two parts begins with the CR LF before the boundary. To treat the first one alike, a CR LF is put before the body.
 */
final class MultipartReader {
    static final int MAX_PARTS = 100;
    static final int MAX_HEADERS = 8 << 10;
    static final int MAX_LINES = 16;
    private static final int MAX_BOUNDARY = 70;

    private final InputStream in;
    private final byte[] separator;
    private final byte[] buffer = new byte[1 << 13];
    private int at;
    private int end;
    private int parts;
    private boolean over;

    MultipartReader(InputStream in, @Nullable String boundary) throws IOException {
        if (boundary == null
                || boundary.length() > MAX_BOUNDARY
                || !boundary.chars().allMatch(MultipartReader::fits)) {
            throw InvalidBodyException.invalid("Content-Type needs a boundary of 1 to " + MAX_BOUNDARY
                    + " letters, digits or spaces and '()+_,-./:=? for a multipart body");
        }
        this.in = in;
        this.separator = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
        buffer[end++] = '\r';
        buffer[end++] = '\n';
    }

    private static boolean fits(int c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c > 0 && "'()+_,-./:=? ".indexOf(c) >= 0);
    }

    /** The next part, past what is left of the one before; null after the last. */
    @Nullable
    PartHeader next() throws IOException {
        for (int more = over ? 0 : content(); more > 0; more = content()) {
            at += more;
        }
        if (over) {
            return null;
        }
        at += separator.length;
        fill(2);
        if (end - at >= 2 && buffer[at] == '-' && buffer[at + 1] == '-') {
            at += 2;
            finish();
            return null;
        }
        skipSpace();
        expectNewLine();
        if (++parts > MAX_PARTS) {
            throw InvalidBodyException.invalid("The body has more than " + MAX_PARTS + " parts");
        }
        return PartHeader.of(headers());
    }

    /**
     * Reads the rest of the body. Content after the last boundary has no meaning, but its encoding must not be broken.
     */
    private void finish() throws IOException {
        over = true;
        skipSpace();
        if (at < end) {
            expectNewLine();
        }
        while (in.read(buffer, 0, buffer.length) >= 0) {}
    }

    /** Reads content of the part that was returned last; returns -1 at its end. */
    int read(byte[] into, int from, int count) throws IOException {
        int now = Math.min(count, content());
        System.arraycopy(buffer, at, into, from, now);
        at += now;
        return now == 0 ? -1 : now;
    }

    /** Returns the number of bytes from here on that are certainly content; 0 at a separator. */
    private int content() throws IOException {
        fill(separator.length);
        int stop = stop();
        if (stop == at && end - at < separator.length) {
            throw InvalidBodyException.invalid("The body ends before the last boundary");
        }
        return stop - at;
    }

    /**
     * Returns the index at which a separator begins or may begin; the bytes before it are content. A separator has only
     * one CR, so no byte is looked at twice.
     */
    private int stop() {
        for (int i = at; i < end; i++) {
            if (buffer[i] == '\r') {
                int same = 1;
                while (same < separator.length && i + same < end && buffer[i + same] == separator[same]) {
                    same++;
                }
                if (same == separator.length || i + same == end) {
                    return i;
                }
            }
        }
        return end;
    }

    private List<String> headers() throws IOException {
        List<String> lines = new ArrayList<>();
        int left = MAX_HEADERS;
        while (true) {
            StringBuilder line = new StringBuilder();
            for (int c = next(left--); c != '\r'; c = next(left--)) {
                // as Latin-1: no byte is lost, whatever it stands for
                line.append((char) c);
            }
            if (next(left--) != '\n') {
                throw brokenLine();
            }
            if (line.length() == 0) {
                return lines;
            }
            if (lines.size() == MAX_LINES) {
                throw InvalidBodyException.invalid("A part has more than " + MAX_LINES + " headers");
            }
            lines.add(line.toString());
        }
    }

    private int next(int left) throws IOException {
        if (left <= 0) {
            throw InvalidBodyException.invalid("The headers of a part exceed " + MAX_HEADERS + " bytes");
        }
        if (at == end) {
            fill(1);
        }
        if (at == end) {
            throw InvalidBodyException.invalid("The body ends inside the headers of a part");
        }
        return buffer[at++] & 0xFF;
    }

    private void skipSpace() throws IOException {
        do {
            fill(1);
        } while (at < end && (buffer[at] == ' ' || buffer[at] == '\t') && at++ >= 0);
    }

    private void expectNewLine() throws IOException {
        fill(2);
        if (end - at < 2 || buffer[at] != '\r' || buffer[at + 1] != '\n') {
            throw brokenLine();
        }
        at += 2;
    }

    /** So many bytes from here on, unless the body ends before. */
    private void fill(int count) throws IOException {
        if (end - at >= count) {
            return;
        }
        System.arraycopy(buffer, at, buffer, 0, end - at);
        end -= at;
        at = 0;
        for (int more = 0; end < count && more >= 0; end += Math.max(more, 0)) {
            more = in.read(buffer, end, buffer.length - end);
        }
    }

    private static InvalidBodyException brokenLine() {
        return InvalidBodyException.invalid("A line of the multipart body does not end in CR LF where it must");
    }
}
