package io.onefold.payload;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the trees of {@link JsonReader} without white space, and refuses what that reader would not read back. */
final class JsonWriter {

    private final StringBuilder out = new StringBuilder();
    private final int maxDepth;

    private JsonWriter(int maxDepth) {
        this.maxDepth = maxDepth;
    }

    static byte[] write(@Nullable Object tree, int maxDepth) {
        JsonWriter writer = new JsonWriter(maxDepth);
        writer.value(tree, 0);
        return Utf8.encode(writer.out);
    }

    private void value(@Nullable Object tree, int depth) {
        if (depth == maxDepth && (tree instanceof Map || tree instanceof List)) {
            throw new MisfitException("nested deeper than " + maxDepth + " levels; is the structure cyclic?");
        }
        if (tree instanceof Map<?, ?> members) {
            out.append('{');
            members.forEach((name, member) -> {
                separate();
                string((String) name);
                out.append(':');
                value(member, depth + 1);
            });
            out.append('}');
        } else if (tree instanceof List<?> elements) {
            out.append('[');
            elements.forEach(element -> {
                separate();
                value(element, depth + 1);
            });
            out.append(']');
        } else if (tree instanceof String text) {
            string(text);
        } else {
            out.append(tree);
        }
    }

    /** What was just opened ends with a bracket; a value before this one does not. */
    private void separate() {
        char last = out.charAt(out.length() - 1);
        if (last != '{' && last != '[') {
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
                out.append(c < 16 ? "\\u000" : "\\u00").append(Integer.toHexString(c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
