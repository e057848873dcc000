package io.onefold.payload;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads texts into values that {@link Fingerprinter#value} takes, alone or as parts of a larger one. */
public final class PayloadParser {

    /**
     * A JSON text as maps, lists, strings, booleans, null and numbers, which keep every digit and whose text is their {@code toString}.
     *
     * @throws MalformedPayloadException if it is not strict JSON within the limits
     */
    public static @Nullable Object json(byte[] utf8, int maxDepth, int maxBytes) {
        return JsonReader.read(utf8, maxDepth, maxBytes);
    }

    /**
     * A text of type {@code application/x-www-form-urlencoded}, or a query.
     *
     * @throws MalformedPayloadException if an escape or its UTF-8 is broken
     */
    public static Map<String, List<String>> form(String urlEncoded, int maxBytes) {
        return FormReader.read(urlEncoded, maxBytes);
    }

    private PayloadParser() {}
}
