package io.onefold.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A body that was read to its end and can be read again. */
public interface Body {
    Body NONE = new Body() {
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

    /** From the beginning, as it was sent. */
    InputStream open() throws IOException;

    /** All of it, as it was sent: for one that is known to be small. */
    default byte[] bytes() throws IOException {
        try (InputStream in = open()) {
            return in.readAllBytes();
        }
    }

    /** Those of a multipart body. */
    default List<BodyPart> parts() throws IOException {
        return List.of();
    }
}
