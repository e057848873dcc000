package io.onefold.payload;

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

    private final String text;
    private final int maxDepth;
    private int at;

    private JsonReader(String text, int maxDepth) {
        this.text = text;
        this.maxDepth = maxDepth;
    }

    static @Nullable Object read(byte[] utf8, int maxDepth, int maxBytes) {
        if (utf8.length > maxBytes) {
            throw new MalformedPayloadException(utf8.length + " bytes exceed the limit of " + maxBytes, maxBytes);
        }
        return new JsonReader(Utf8.decode(utf8), maxDepth).document();
    }

    private @Nullable Object document() {
        Object value = value(0);
        skipSpace();
        if (at < text.length()) {
            throw problem("unexpected text after the value");
        }
        return value;
    }

    private @Nullable Object value(int depth) {
        skipSpace();
        char c = peek();
        return switch (c) {
            case '{' -> object(depth + 1);
            case '[' -> array(depth + 1);
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> {
                if (c != '-' && !isDigit(c)) {
                    throw problem("a value was expected");
                }
                yield number();
            }
        };
    }

    private Map<String, @Nullable Object> object(int depth) {
        open(depth);
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        if (closes('}')) {
            return members;
        }
        do {
            skipSpace();
            if (peek() != '"') {
                throw problem("a member name was expected");
            }
            int start = at;
            String name = string();
            skipSpace();
            expect(':');
            if (members.containsKey(name)) {
                throw new MalformedPayloadException("duplicate member name", start);
            }
            members.put(name, value(depth));
        } while (continues('}'));
        return members;
    }

    private List<@Nullable Object> array(int depth) {
        open(depth);
        List<@Nullable Object> elements = new ArrayList<>();
        if (closes(']')) {
            return elements;
        }
        do {
            elements.add(value(depth));
        } while (continues(']'));
        return elements;
    }

    private void open(int depth) {
        if (depth > maxDepth) {
            throw problem("nested deeper than " + maxDepth + " levels");
        }
        at++;
    }

    private boolean closes(char end) {
        skipSpace();
        boolean closed = peek() == end;
        if (closed) {
            at++;
        }
        return closed;
    }

    private boolean continues(char end) {
        if (closes(end)) {
            return false;
        }
        expect(',');
        return true;
    }

    private String string() {
        int start = ++at;
        while (true) {
            char c = peek();
            if (c == '"') {
                return text.substring(start, at++);
            }
            if (c == '\\') {
                return escapedString(start);
            }
            checkPlain(c);
            at++;
        }
    }

    private String escapedString(int start) {
        StringBuilder out = new StringBuilder().append(text, start, at);
        while (true) {
            char c = peek();
            if (c == '"') {
                at++;
                return checkPairs(out, start);
            }
            if (c == '\\') {
                at++;
                out.append(escape());
            } else {
                checkPlain(c);
                out.append(c);
                at++;
            }
        }
    }

    private void checkPlain(char c) {
        if (c < ' ') {
            throw problem("an unescaped control character");
        }
    }

    private char escape() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hex4();
            default -> throw problem("an unknown escape");
        };
    }

    private char hex4() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char c = peek();
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw problem("four hexadecimal digits were expected");
            }
            code = code * 16 + digit;
            at++;
        }
        return (char) code;
    }

    private static String checkPairs(StringBuilder out, int start) {
        for (int i = 0; i < out.length(); i++) {
            if (Character.isSurrogate(out.charAt(i))) {
                if (Character.charCount(out.codePointAt(i)) == 1) {
                    throw new MalformedPayloadException("a lone surrogate in the string", start);
                }
                i++;
            }
        }
        return out.toString();
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
            if (digits() > JsonNumber.MAX_EXPONENT_DIGITS) {
                throw problem("an exponent of more than " + JsonNumber.MAX_EXPONENT_DIGITS + " digits");
            }
        }
        if (at - start > JsonNumber.MAX_LENGTH) {
            throw new MalformedPayloadException(
                    "a number of more than " + JsonNumber.MAX_LENGTH + " characters", start);
        }
        return new JsonNumber(text.substring(start, at));
    }

    private int digits() {
        int start = at;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw problem("a digit was expected");
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
        if (found) {
            at++;
        }
        return found;
    }

    private void expect(char c) {
        if (!skip(c)) {
            throw problem("'" + c + "' was expected");
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at == text.length()) {
            throw problem("the text ends too early");
        }
        return text.charAt(at);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private MalformedPayloadException problem(String problem) {
        return new MalformedPayloadException(problem, at);
    }
}
