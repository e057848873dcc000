package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Strict RFC 8259. A tree consists of Map (in order), List, String, {@link JsonNumber}, Boolean and null. Whatever two
 * parsers might read differently is refused: duplicate names, lone surrogates, malformed UTF-8, a byte order mark,
 * anything after the value.
 */
final class JsonReader {

    /** Keeps every exponent, moved by the digits of the longest number, within a long. */
    private static final int MAX_EXPONENT_DIGITS = 18;

    private final String text;
    private final int maxDepth;
    private int at;
    private boolean surrogates;

    private JsonReader(String text, int maxDepth) {
        this.text = text;
        this.maxDepth = maxDepth;
    }

    static @Nullable Object read(byte[] utf8, int maxDepth, int maxBytes) {
        MalformedPayloadException.checkSize(utf8.length, maxBytes);
        JsonReader reader = new JsonReader(Utf8.decode(utf8, 0), maxDepth);
        Object value = reader.value(0);
        reader.skipSpace();
        if (reader.at < reader.text.length()) {
            throw reader.problem("unexpected text after the value");
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        skipSpace();
        return switch (peek()) {
            case '{' -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                each('}', depth, () -> member(members, depth + 1));
                yield members;
            }
            case '[' -> {
                List<@Nullable Object> elements = new ArrayList<>();
                each(']', depth, () -> elements.add(value(depth + 1)));
                yield elements;
            }
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private void each(char end, int depth, Runnable item) {
        if (depth == maxDepth) {
            throw problem("nested deeper than " + maxDepth + " levels");
        }
        at++;
        skipSpace();
        if (!skip(end)) {
            do {
                item.run();
                skipSpace();
            } while (skip(','));
            expect(end);
        }
    }

    private void member(Map<String, @Nullable Object> members, int depth) {
        skipSpace();
        int start = at;
        String name = string();
        skipSpace();
        expect(':');
        if (members.containsKey(name)) {
            throw new MalformedPayloadException("duplicate member name", start);
        }
        members.put(name, value(depth));
    }

    private String string() {
        expect('"');
        int start = at;
        StringBuilder escaped = null;
        int run = at;
        for (char c = peek(); c != '"'; c = peek()) {
            if (c < ' ') {
                throw problem("an unescaped control character");
            }
            at++;
            if (c == '\\') {
                escaped = escaped == null ? new StringBuilder() : escaped;
                escaped.append(text, run, at - 1).append(escape());
                run = at;
            }
        }
        String last = text.substring(run, at++);
        if (escaped == null) {
            return last;
        }
        String string = escaped.append(last).toString();
        if (surrogates && !UTF_8.newEncoder().canEncode(string)) {
            throw new MalformedPayloadException("a lone surrogate in the string", start);
        }
        return string;
    }

    private char escape() {
        char c = peek();
        at++;
        if (c == 'u') {
            at += 4;
            char unit = (char) Utf8.hex(text, at - 4, at);
            surrogates |= Character.isSurrogate(unit);
            return unit;
        }
        int known = "\"\\/bfnrt".indexOf(c);
        if (known < 0) {
            throw problem("an unknown escape");
        }
        return "\"\\/\b\f\n\r\t".charAt(known);
    }

    private JsonNumber number() {
        int start = at;
        skip('-');
        if (!skip('0')) {
            digits();
        }
        if (skip('.')) {
            digits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            if (digits() > MAX_EXPONENT_DIGITS) {
                throw problem("an exponent of more than " + MAX_EXPONENT_DIGITS + " digits");
            }
        }
        if (at - start > JsonNumber.MAX_LENGTH) {
            throw problem("a number of more than " + JsonNumber.MAX_LENGTH + " characters");
        }
        return new JsonNumber(text.substring(start, at));
    }

    private int digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw problem("a value or digit was expected");
        }
        return at - start;
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw problem("a value was expected");
        }
        at += word.length();
        return value;
    }

    private boolean skip(char c) {
        boolean found = at < text.length() && text.charAt(at) == c;
        at += found ? 1 : 0;
        return found;
    }

    private void expect(char c) {
        if (!skip(c)) {
            throw problem("'" + c + "' was expected");
        }
    }

    private void skipSpace() {
        while (at < text.length() && text.charAt(at) <= ' ' && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at == text.length()) {
            throw problem("the text ends too early");
        }
        return text.charAt(at);
    }

    private MalformedPayloadException problem(String problem) {
        return new MalformedPayloadException(problem, at);
    }
}
