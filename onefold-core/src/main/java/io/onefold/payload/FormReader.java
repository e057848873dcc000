package io.onefold.payload;

import java.io.ByteArrayOutputStream;
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
        if (text.length() > maxBytes) {
            throw new MalformedPayloadException(text.length() + " bytes exceed the limit of " + maxBytes, maxBytes);
        }
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (int from = 0; from < text.length(); ) {
            int end = end(text, '&', from, text.length());
            if (end > from) {
                int equals = end(text, '=', from, end);
                String value = equals == end ? "" : decode(text, equals + 1, end);
                fields.computeIfAbsent(decode(text, from, equals), name -> new ArrayList<>())
                        .add(value);
            }
            from = end + 1;
        }
        return fields;
    }

    private static int end(String text, char separator, int from, int limit) {
        int found = text.indexOf(separator, from);
        return found < 0 || found > limit ? limit : found;
    }

    private static String decode(String text, int from, int to) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(to - from);
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(16 * hex(text, i + 1, to) + hex(text, i + 2, to));
                i += 2;
            } else if (c < 0x80) {
                bytes.write(c == '+' ? ' ' : c);
            } else {
                throw new MalformedPayloadException("a character that must be escaped", i);
            }
        }
        try {
            return Utf8.decode(bytes.toByteArray());
        } catch (MalformedPayloadException e) {
            throw new MalformedPayloadException("escapes that are not UTF-8", from);
        }
    }

    private static int hex(String text, int at, int to) {
        int digit = at < to && text.charAt(at) < 0x80 ? Character.digit(text.charAt(at), 16) : -1;
        if (digit < 0) {
            throw new MalformedPayloadException("two hexadecimal digits were expected after %", at);
        }
        return digit;
    }

    private FormReader() {}
}
