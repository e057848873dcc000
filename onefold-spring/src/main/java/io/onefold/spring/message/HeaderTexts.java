package io.onefold.spring.message;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts values of headers, which can be of almost any type. */
final class HeaderTexts {
    private HeaderTexts() {}

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

    /** Decodes strictly: with replacement characters, different bytes that are no text would become the same key. */
    private static String text(byte[] bytes) {
        try {
            // a new decoder reports malformed input
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
