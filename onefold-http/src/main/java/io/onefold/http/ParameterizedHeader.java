package io.onefold.http;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A header that has parameters: {@code multipart/form-data; boundary="x"}. One that has a parameter twice, or very many, is none:
 * readers disagree on which counts.
 *
 * @param main in lower case
 * @param parameters by their names in lower case, without quotes, but with the escapes that stood between them
 */
record ParameterizedHeader(String main, Map<String, String> parameters) {
    private static final int MAX_PARAMETERS = 16;

    static @Nullable ParameterizedHeader parse(String text) {
        int semicolon = text.indexOf(';');
        String main = (semicolon < 0 ? text : text.substring(0, semicolon)).strip();
        if (main.isEmpty() || !CharacterRules.all(main, c -> isTokenPart((char) c) || c == '/')) {
            return null;
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        int at = semicolon;
        while (at >= 0 && at < text.length()) {
            at = parameter(text, at + 1, parameters);
        }
        return at < 0 && semicolon >= 0 ? null : new ParameterizedHeader(main.toLowerCase(Locale.ROOT), parameters);
    }

    /** Returns the end of the parameter that begins here; -1 if there is none. */
    private static int parameter(String text, int from, Map<String, String> parameters) {
        int at = space(text, from);
        if (at == text.length() || text.charAt(at) == ';') {
            return at;
        }
        int start = at;
        while (at < text.length() && isTokenPart(text.charAt(at))) {
            at++;
        }
        String name = text.substring(start, at).toLowerCase(Locale.ROOT);
        if (name.isEmpty() || at == text.length() || text.charAt(at) != '=') {
            return -1;
        }
        at++;
        boolean quoted = at < text.length() && text.charAt(at) == '"';
        start = quoted ? at + 1 : at;
        int stop = quoted ? closing(text, start) : plainEnd(text, start);
        if (stop < 0 || parameters.containsKey(name) || parameters.size() == MAX_PARAMETERS) {
            return -1;
        }
        String value = text.substring(start, stop);
        parameters.put(name, quoted ? value : value.strip());
        at = space(text, quoted ? stop + 1 : stop);
        return at == text.length() || text.charAt(at) == ';' ? at : -1;
    }

    private static int closing(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                return i;
            }
            i += c == '\\' ? 1 : 0;
        }
        return -1;
    }

    /** Wider than a token, since clients forget the quotes. A comma would begin a second header. */
    private static int plainEnd(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != ';') {
            if (text.charAt(at) == ',' || text.charAt(at) == '"') {
                return -1;
            }
            at++;
        }
        return at == from ? -1 : at;
    }

    private static int space(String text, int from) {
        int at = from;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    /** Without the backslashes that escape a quote or a backslash; others are part of a path that some browsers send. */
    static String unescaped(String raw) {
        return raw.replaceAll("\\\\([\"\\\\])", "$1");
    }

    /** A character of a token of RFC 9110. */
    static boolean isTokenPart(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || (c != 0 && "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
    }
}
