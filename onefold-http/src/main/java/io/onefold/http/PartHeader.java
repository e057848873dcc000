package io.onefold.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a part, which come before its content. Texts are as they were sent, one character for each byte.
 *
 * @param disposition empty if there is none
 * @param headers all other headers, by their names in lower case
 */
record PartHeader(Map<String, String> disposition, @Nullable String type, Map<String, String> headers) {

    static PartHeader of(List<String> lines) throws IOException {
        Map<String, String> headers = new TreeMap<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            String name = line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT);
            if (name.isEmpty() || !name.chars().allMatch(c -> ParameterizedHeader.isTokenPart((char) c))) {
                throw InvalidBodyException.invalid("A part has a header without a name");
            }
            String value = line.substring(colon + 1).strip();
            if (value.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7F)) {
                throw InvalidBodyException.invalid("A header of a part has a control character");
            }
            if (headers.putIfAbsent(name, value) != null) {
                throw InvalidBodyException.invalid("A part has a header twice");
            }
        }
        String disposition = headers.remove("content-disposition");
        return new PartHeader(disposition(disposition), headers.remove("content-type"), headers);
    }

    private static Map<String, String> disposition(@Nullable String text) throws IOException {
        if (text == null) {
            return Map.of();
        }
        ParameterizedHeader value = ParameterizedHeader.parse(text);
        if (value == null) {
            throw InvalidBodyException.invalid("A part has a Content-Disposition that is not well-formed");
        }
        Map<String, String> all = new LinkedHashMap<>(value.parameters());
        all.put("", value.main());
        return all;
    }

    /** Null if it has none. */
    @Nullable
    String name() {
        String raw = disposition.get("name");
        return raw == null
                ? null
                : new String(ParameterizedHeader.unescaped(raw).getBytes(ISO_8859_1), UTF_8);
    }

    /** Null if it is no file. */
    @Nullable
    String fileName() {
        String raw = disposition.get("filename");
        return raw == null
                ? extended()
                : new String(ParameterizedHeader.unescaped(raw).getBytes(ISO_8859_1), UTF_8);
    }

    /**
     * Returns the file name in the form of RFC 8187, which is for names that are not ASCII. Returns it as it was sent
     * if it is not well-formed.
     */
    private @Nullable String extended() {
        String raw = disposition.get("filename*");
        if (raw == null) {
            return null;
        }
        String[] parts = raw.split("'", 3);
        try {
            // a plus is itself here
            return parts.length < 3 ? raw : URLDecoder.decode(parts[2].replace("+", "%2B"), Charset.forName(parts[0]));
        } catch (IllegalArgumentException e) {
            return raw;
        }
    }

    /** Written anew; null if there was none. */
    @Nullable
    String dispositionText() {
        if (disposition.isEmpty()) {
            return null;
        }
        StringBuilder text = new StringBuilder(disposition.getOrDefault("", ""));
        disposition.forEach((name, value) -> {
            if (!name.isEmpty()) {
                text.append("; ").append(name).append("=\"").append(value).append('"');
            }
        });
        return text.toString();
    }

    boolean isFile() {
        return disposition.containsKey("filename") || disposition.containsKey("filename*");
    }

    /** Returns the facts about this part that belong to a fingerprint, with the hash of its content. */
    Map<String, @Nullable Object> print(String sha256) {
        Map<String, @Nullable Object> print = new LinkedHashMap<>();
        Map<String, String> others = new TreeMap<>(disposition);
        print.put("name", others.remove("name"));
        print.put("filename", others.remove("filename"));
        print.put("type", type);
        print.put("disposition", others);
        print.put("headers", headers);
        print.put("sha256", sha256);
        return print;
    }
}
