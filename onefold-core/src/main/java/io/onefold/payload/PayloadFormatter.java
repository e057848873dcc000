package io.onefold.payload;

import org.jspecify.annotations.Nullable;

/** Writes values that {@link Fingerprinter#value} takes as texts. */
public final class PayloadFormatter {
    private static final int MAX_DEPTH = 64;

    /** Returns the value as JSON without white space, in UTF-8. */
    public static byte[] json(@Nullable Object value) {
        return JsonWriter.write(value, MAX_DEPTH);
    }

    private PayloadFormatter() {}
}
