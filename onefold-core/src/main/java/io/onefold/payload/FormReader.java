package io.onefold.payload;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads {@code application/x-www-form-urlencoded} as the WHATWG describes it, but refuses broken escapes and broken
 * UTF-8.
 */
final class FormReader {

    static Map<String, List<String>> read(String text, int maxBytes) {
        MalformedPayloadException.checkSize(text.length(), maxBytes);
        Map<String, List<String>> fields = new LinkedHashMap<>();
        int at = 0;
        for (String field : text.split("&", -1)) {
            if (!field.isEmpty()) {
                int equals = field.indexOf('=');
                int end = equals < 0 ? field.length() : equals;
                String value = decode(text, Math.min(at + end + 1, at + field.length()), at + field.length());
                fields.computeIfAbsent(decode(text, at, at + end), name -> new ArrayList<>())
                        .add(value);
            }
            at += field.length() + 1;
        }
        return fields;
    }

    private static String decode(String text, int from, int to) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.put(Utf8.hex(text, i + 1, i + 3));
                i += 2;
            } else if (c < 0x80) {
                bytes.put(c == '+' ? ' ' : c);
            } else {
                throw new MalformedPayloadException("a character that must be escaped", i);
            }
        }
        return Utf8.decode(bytes.cut(0), from);
    }

    private FormReader() {}
}
