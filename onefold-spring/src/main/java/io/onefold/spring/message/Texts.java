package io.onefold.spring.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of headers, which brokers let be almost anything. */
final class Texts {
    private Texts() {}

    static List<String> of(@Nullable Object value) {
        if (value == null) {
            return List.of();
        }
        if (value instanceof byte[] bytes) {
            return List.of(text(bytes));
        }
        if (value instanceof Collection<?> several) {
            List<String> texts = new ArrayList<>();
            several.forEach(one -> texts.addAll(of(one)));
            return texts;
        }
        return List.of(value.toString());
    }

    /** Replaced, bytes that are no text would all be one, and so would their keys. */
    private static String text(byte[] bytes) {
        try {
            // a new decoder reports what it cannot read
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "a header of " + bytes.length + " bytes is not UTF-8, so it is no text that could be a key", e);
        }
    }
}
