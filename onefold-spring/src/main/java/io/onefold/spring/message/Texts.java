package io.onefold.spring.message;

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
            return List.of(new String(bytes, StandardCharsets.UTF_8));
        }
        if (value instanceof Collection<?> several) {
            List<String> texts = new ArrayList<>();
            several.forEach(one -> texts.addAll(of(one)));
            return texts;
        }
        return List.of(value.toString());
    }
}
