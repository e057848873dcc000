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

    /** Those of a multipart body. */
    default List<BodyPart> parts() throws IOException {
        return List.of();
    }
}
