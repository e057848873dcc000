package io.onefold.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A part of a body that was read before. Its content is found by reading the body again, so that none is held, except that of small
 * fields: a form may have thousands.
 */
final class SpooledPart implements BodyPart {
    private static final int SMALL = 1 << 13;

    private final SpooledBody body;
    private final int number;
    private final PartHeader part;
    private final long size;
    private final byte @Nullable [] small;

    private SpooledPart(SpooledBody body, int number, PartHeader part, long size, byte @Nullable [] small) {
        this.body = body;
        this.number = number;
        this.part = part;
        this.size = size;
        this.small = small;
    }

    static List<BodyPart> of(SpooledBody body) throws IOException {
        List<BodyPart> all = new ArrayList<>();
        try (InputStream content = body.content()) {
            MultipartReader reader = body.parts(content);
            byte[] buffer = new byte[SMALL];
            for (PartHeader part = reader.next(); part != null; part = reader.next()) {
                long size = 0;
                ByteArrayOutputStream field = part.isFile() ? null : new ByteArrayOutputStream(64);
                for (int now = reader.read(buffer, 0, SMALL); now >= 0; now = reader.read(buffer, 0, SMALL)) {
                    size += now;
                    if (field != null && size <= SMALL) {
                        field.write(buffer, 0, now);
                    }
                }
                byte[] small = field == null || size > SMALL ? null : field.toByteArray();
                all.add(new SpooledPart(body, all.size(), part, size, small));
            }
        }
        return all;
    }

    @Override
    public @Nullable String name() {
        return part.name();
    }

    @Override
    public @Nullable String fileName() {
        return part.fileName();
    }

    @Override
    public @Nullable String type() {
        return part.type();
    }

    @Override
    public Map<String, String> headers() {
        Map<String, String> all = new TreeMap<>(part.headers());
        if (part.type() != null) {
            all.put("content-type", part.type());
        }
        String disposition = part.dispositionText();
        if (disposition != null) {
            all.put("content-disposition", disposition);
        }
        return all;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public InputStream open() throws IOException {
        if (small != null) {
            return new ByteArrayInputStream(small);
        }
        InputStream content = body.content();
        MultipartReader reader = body.parts(content);
        for (int i = 0; i <= number; i++) {
            reader.next();
        }
        return new PartInputStream(content, reader);
    }

    /** Up to where the next part begins. */
    private static final class PartInputStream extends FilterInputStream {
        private final MultipartReader reader;

        PartInputStream(InputStream whole, MultipartReader reader) {
            super(whole);
            this.reader = reader;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int from, int count) throws IOException {
            return count == 0 ? 0 : reader.read(into, from, count);
        }

        @Override
        public int available() {
            return 0;
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        @Override
        public long skip(long count) throws IOException {
            byte[] skipped = new byte[(int) Math.min(count, 1 << 13)];
            return Math.max(0, read(skipped, 0, skipped.length));
        }
    }
}
