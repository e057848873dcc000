package io.onefold.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a multipart body. */
public interface BodyPart {
    /** Null if it has none. */
    @Nullable
    String name();

    /** Null if it is no file. */
    @Nullable
    String fileName();

    @Nullable
    String type();

    /** All of them, by their names in lower case. */
    Map<String, String> headers();

    long size();

    InputStream open() throws IOException;
}
