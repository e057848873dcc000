package io.onefold.http;

import java.nio.charset.StandardCharsets;

/** Reads bytes as the value of a key header. A target for Jazzer, too: {@code --target_class=io.onefold.http.KeyFuzz}. */
public final class KeyFuzz {
    private KeyFuzz() {}

    /** Either it is refused without an echo, or it is a key that reads the same when it is written as a structured field. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        String value = new String(bytes, StandardCharsets.ISO_8859_1);
        for (KeySyntax syntax :
                new KeySyntax[] {KeySyntax.lenient(), KeySyntax.strict(), KeySyntax.bare(), KeySyntax.uuid()}) {
            String key;
            try {
                key = syntax.parse(value);
            } catch (ProblemException e) {
                if (value.length() > 8 && e.problem().detail().contains(value)) {
                    throw new AssertionError("the value is told again");
                }
                continue;
            }
            String written = '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            try {
                if (!KeySyntax.strict().parse(written).equals(key)) {
                    throw new AssertionError("read differently when it is quoted");
                }
            } catch (ProblemException e) {
                throw new AssertionError("refused when it is quoted", e);
            }
        }
    }
}
