package io.onefold.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a multipart body. */
public interface BodyPart {
    /** The name of the part; null if it has none. */
    @Nullable
    String name();

    /** The name of the file; null if the part is not a file. */
    @Nullable
    String fileName();

    @Nullable
    String type();

    /** All headers of the part, by their names in lower case. */
    Map<String, String> headers();

    long size();

    InputStream open() throws IOException;
}
