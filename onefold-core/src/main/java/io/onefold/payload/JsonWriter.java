package io.onefold.payload;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Writes values and the trees of {@link JsonReader} without white space, and only what that reader reads back. */
final class JsonWriter extends ValueWalker {

    private static final HexFormat HEX = HexFormat.of();

    private final ByteArrayBuilder out = new ByteArrayBuilder();

    private JsonWriter(int maxDepth) {
        super(maxDepth, false);
    }

    static byte[] write(@Nullable Object value, int maxDepth) {
        JsonWriter writer = new JsonWriter(maxDepth);
        writer.value(value);
        return writer.out.cut(0);
    }

    @Override
    void bracket(char bracket) {
        if (bracket == '{' || bracket == '[') {
            separate();
        }
        out.put(bracket);
    }

    @Override
    void name(String name) {
        scalar(name);
        out.put(':');
    }

    /** NaN and the infinities are no JSON numbers, so they are strings. */
    @Override
    void scalar(@Nullable Object value) {
        separate();
        if (value instanceof String text) {
            string(text);
        } else if (value instanceof Double || value instanceof Float) {
            String text = value.toString();
            out.put(Double.isFinite(((Number) value).doubleValue()) ? text : '"' + text + '"');
        } else {
            out.put(value instanceof Number number ? JsonNumber.textOf(number) : String.valueOf(value));
        }
    }

    /** Nothing but an opening one ends with a bracket or colon: texts end with a quotation mark. */
    private void separate() {
        if (out.size() > 0 && "{[:".indexOf(out.last()) < 0) {
            out.put(',');
        }
    }

    private void string(String text) {
        byte[] utf8 = Utf8.encode(text);
        out.put('"');
        int run = 0;
        for (int i = 0; i < utf8.length; i++) {
            byte b = utf8[i];
            // what belongs to a longer character is negative
            if (b == '"' || b == '\\' || (b < ' ' && b >= 0)) {
                out.put(utf8, run, i);
                out.put('\\');
                if (b < ' ') {
                    out.put("u00" + HEX.toHexDigits(b));
                } else {
                    out.put(b);
                }
                run = i + 1;
            }
        }
        out.put(utf8, run, utf8.length);
        out.put('"');
    }
}
