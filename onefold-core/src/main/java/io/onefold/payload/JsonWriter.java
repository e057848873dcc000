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
        if (tree instanceof Map<?, ?> members) {
            checkDepth(depth + 1);
            char separator = '{';
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(separator);
                string((String) member.getKey());
                out.append(':');
                value(member.getValue(), depth + 1);
                separator = ',';
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (tree instanceof List<?> elements) {
            checkDepth(depth + 1);
            char separator = '[';
            for (Object element : elements) {
                out.append(separator);
                value(element, depth + 1);
                separator = ',';
            }
            out.append(elements.isEmpty() ? "[]" : "]");
        } else if (tree instanceof String text) {
            string(text);
        } else if (tree instanceof JsonNumber number) {
            if (number.text().length() > JsonNumber.MAX_LENGTH) {
                throw new MisfitException("a number of more than " + JsonNumber.MAX_LENGTH + " characters");
            }
            out.append(number.text());
        } else {
            out.append(tree);
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

    private void checkDepth(int depth) {
        if (depth > maxDepth) {
            throw new MisfitException("nested deeper than " + maxDepth + " levels; is the structure cyclic?");
        }
    }
}
