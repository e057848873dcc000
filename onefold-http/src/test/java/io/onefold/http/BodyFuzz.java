package io.onefold.http;

import java.util.Arrays;

/** Reads bytes as a body of each type. A target for Jazzer, too: {@code --target_class=io.onefold.http.BodyFuzz}. */
public final class BodyFuzz {
    private static final String[] TYPES = {
        "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/plain"
    };

    private BodyFuzz() {}

    /** The first byte chooses the type and whether it is compressed. Either it is refused, or it has one fingerprint. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        int choice = bytes.length == 0 ? 0 : bytes[0] & 0xFF;
        Sent sent = Sent.nothing()
                .header("Content-Type", TYPES[choice % TYPES.length])
                .body(bytes.length == 0 ? bytes : Arrays.copyOfRange(bytes, 1, bytes.length));
        Sent coded = choice >= 128 ? sent.header("Content-Encoding", "gzip") : sent;
        try {
            if (!coded.print().equals(coded.print())) {
                throw new AssertionError("two fingerprints of one body");
            }
        } catch (ProblemException e) {
            if (e.problem().status() >= 500) {
                throw new AssertionError("a body that breaks something", e);
            }
        }
    }
}
