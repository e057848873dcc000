package io.onefold.http;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the few small texts that are Onefold's own. */
final class Json {
    private final StringBuilder out = new StringBuilder();

    private Json() {}

    static byte[] of(Map<String, ?> members) {
        Json json = new Json();
        json.value(members);
        return json.out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void value(@Nullable Object value) {
        if (value instanceof Map<?, ?> members) {
            char before = '{';
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(before);
                text(member.getKey().toString());
                out.append(':');
                value(member.getValue());
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (value instanceof Collection<?> elements) {
            char before = '[';
            for (Object element : elements) {
                out.append(before);
                value(element);
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            text(value.toString());
        }
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c) || c == 0x2028 || c == 0x2029) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
