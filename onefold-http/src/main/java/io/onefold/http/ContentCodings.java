package io.onefold.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The codings that a body is compressed with (H15).
 *
 * @param names in the order in which they were applied
 */
record ContentCodings(List<String> names) {
    private static final Set<String> KNOWN = Set.of("gzip", "x-gzip", "deflate");
    private static final int MAX = 2;
    private static final int MAX_RATIO = 100;
    private static final int UNSUSPICIOUS = 1 << 16;

    static ContentCodings of(RequestHead head) throws ProblemException {
        ContentCodings codings = of(head.headers("Content-Encoding"));
        if (codings.names.size() > MAX) {
            throw new ProblemException(
                    Problem.ProblemType.BODY_INVALID,
                    "Content-Encoding names " + codings.names.size() + " codings; at most " + MAX + " are allowed");
        }
        return codings;
    }

    /** @param lines the lines of the header */
    static ContentCodings of(List<String> lines) {
        List<String> names = new ArrayList<>();
        for (String line : lines) {
            for (String each : line.split(",", -1)) {
                String name = each.strip().toLowerCase(Locale.ROOT);
                if (!name.isEmpty() && !name.equals("identity")) {
                    names.add(name);
                }
            }
        }
        return new ContentCodings(List.copyOf(names));
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    boolean areKnown() {
        return KNOWN.containsAll(names);
    }

    /** Returns the decoded body. No layer of it may be larger than a body may be, or out of proportion to the bytes that were sent. */
    InputStream decode(InputStream sent, long length, long max) throws IOException {
        return length == 0 ? sent : decode(sent, Math.min(max, Math.max(UNSUSPICIOUS, MAX_RATIO * length)));
    }

    /** Returns the decoded body, and fails if a layer of it is larger than this. */
    InputStream decode(InputStream sent, long most) throws IOException {
        InputStream decoded = sent;
        try {
            for (int i = names.size() - 1; i >= 0; i--) {
                InputStream inflated = names.get(i).equals("deflate")
                        ? InflatingStream.deflate(decoded)
                        : InflatingStream.gzip(decoded);
                decoded = new LimitedStream(inflated, most);
            }
            return decoded;
        } catch (IOException e) {
            decoded.close();
            throw e;
        }
    }

    private static final class LimitedStream extends FilterInputStream {
        private final long most;
        private long count;

        LimitedStream(InputStream in, long most) {
            super(in);
            this.most = most;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int now = super.read(into, from, length);
            count += Math.max(now, 0);
            if (count > most) {
                throw new InvalidBodyException(
                        Problem.ProblemType.BODY_TOO_LARGE,
                        "The compressed body holds more than " + most + " bytes, which is the most for its size");
            }
            return now;
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
