package io.onefold.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A body that was read to its end and can be read again. */
public interface BufferedBody {
    BufferedBody NONE = new BufferedBody() {
        @Override
        public long length() {
            return 0;
        }

        @Override
        public InputStream open() {
            return InputStream.nullInputStream();
        }
    };

    long length();

    /** Returns a stream of the body from its beginning, as it was sent. */
    InputStream open() throws IOException;

    /** Returns the whole body as it was sent. Use it only for a body that is known to be small. */
    default byte[] bytes() throws IOException {
        try (InputStream in = open()) {
            return in.readAllBytes();
        }
    }

    /** Returns the parts of a multipart body; empty for any other body. */
    default List<BodyPart> parts() throws IOException {
        return List.of();
    }
}
