package io.onefold.payload;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes values and the trees of {@link JsonReader} without white space, and only what that reader reads back. */
final class JsonWriter extends Walker {

    private final StringBuilder out = new StringBuilder();

    private JsonWriter(int maxDepth) {
        super(maxDepth);
    }

    static byte[] write(@Nullable Object value, int maxDepth) {
        JsonWriter writer = new JsonWriter(maxDepth);
        writer.value(value);
        return Utf8.encode(writer.out);
    }

    @Override
    void open(char bracket) {
        separate();
        out.append(bracket);
    }

    @Override
    void close(char bracket) {
        out.append(bracket);
    }

    @Override
    Map<String, @Nullable Object> newMap() {
        return new LinkedHashMap<>();
    }

    @Override
    void name(String name) {
        separate();
        string(name);
        out.append(':');
    }

    /** NaN and the infinities are no JSON numbers, so they are strings. */
    @Override
    void scalar(@Nullable Object value) {
        separate();
        if (value instanceof String text) {
            string(text);
        } else if (value instanceof Double || value instanceof Float) {
            String text = value.toString();
            out.append(Double.isFinite(((Number) value).doubleValue()) ? text : '"' + text + '"');
        } else {
            out.append(value instanceof Number number ? JsonNumber.textOf(number) : value);
        }
    }

    /** Nothing but an opening one ends with a bracket or colon: texts end with a quotation mark. */
    private void separate() {
        if (out.length() > 0 && "{[:".indexOf(out.charAt(out.length() - 1)) < 0) {
            out.append(',');
        }
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
