package io.onefold.http;

import io.onefold.payload.JsonCodec;

/** Reads bytes as a stored answer. A target for Jazzer, too: {@code --target_class=io.onefold.http.RecordFuzz}. */
public final class RecordFuzz {
    private static final JsonCodec CODEC = new JsonCodec();

    private RecordFuzz() {}

    /** Either it is refused, or all of it can be sent. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        StoredResponse stored;
        try {
            stored = (StoredResponse) CODEC.decode(bytes, StoredResponse.class, CODEC.version());
        } catch (IllegalArgumentException e) {
            return;
        }
        if (stored == null) {
            return;
        }
        stored.body();
        for (HeaderField field : stored.fields()) {
            if ((field.name() + field.value()).chars().anyMatch(c -> c == '\r' || c == '\n' || c == 0)) {
                throw new AssertionError("a header that begins another");
            }
        }
    }
}
