package io.onefold.payload;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Writes values and the trees of {@link JsonReader} without white space, and only what that reader reads back. */
final class JsonWriter extends Walker {

    private static final HexFormat HEX = HexFormat.of();

    /** With room for most, so that few have to move. */
    private final StringBuilder out = new StringBuilder(512);

    private JsonWriter(int maxDepth) {
        super(maxDepth, LinkedHashMap::new);
    }

    static byte[] write(@Nullable Object value, int maxDepth) {
        JsonWriter writer = new JsonWriter(maxDepth);
        writer.value(value);
        return Utf8.encode(writer.out);
    }

    @Override
    void bracket(char bracket) {
        if (bracket == '{' || bracket == '[') {
            separate();
        }
        out.append(bracket);
    }

    @Override
    void name(String name) {
        scalar(name);
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
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\' || c < ' ') {
                out.append(text, run, i).append('\\');
                if (c < ' ') {
                    out.append('u').append(HEX.toHexDigits(c));
                } else {
                    out.append(c);
                }
                run = i + 1;
            }
        }
        out.append(text, run, text.length()).append('"');
    }
}
