package io.onefold.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Reads an Item of RFC 9651 whose value is a String. Parameters mean nothing yet, but a value that is not an Item as a whole is refused:
 * two parsers might disagree on where its string ends.
 */
final class StructuredFieldItem {
    private static final int MAX_INTEGER_DIGITS = 15;
    private static final int MAX_WHOLE_DIGITS = 12;
    private static final int MAX_FRACTION_DIGITS = 3;

    private final String text;
    private final int end;
    private int at;

    private StructuredFieldItem(String text, int from, int to) {
        this.text = text;
        this.at = from;
        this.end = to;
    }

    /** Returns the content of the string, without quotes and escapes. */
    static String string(String text, int from, int to) throws ProblemException {
        StructuredFieldItem item = new StructuredFieldItem(text, from, to);
        String string = item.string();
        item.parameters();
        if (item.at < item.end) {
            throw item.wrong("Nothing but parameters is allowed after the closing quote");
        }
        return string;
    }

    private String string() throws ProblemException {
        expect('"', "A double quote");
        StringBuilder string = new StringBuilder();
        for (char c = next("A closing quote"); c != '"'; c = next("A closing quote")) {
            if (c == '\\') {
                c = next("A quote or a backslash");
                if (c != '"' && c != '\\') {
                    throw back("Only quotes and backslashes are escaped");
                }
            } else if (c < ' ' || c > '~') {
                throw back("The character is not allowed in a string; printable ASCII characters are");
            }
            string.append(c);
        }
        return string.toString();
    }

    private void parameters() throws ProblemException {
        while (skip(';')) {
            while (skip(' ')) {}
            if (at == end || !(isLower(text.charAt(at)) || text.charAt(at) == '*')) {
                throw wrong("The name of a parameter was expected, in lower case");
            }
            while (at < end && (isLower(text.charAt(at)) || isDigit() || "_-.*".indexOf(text.charAt(at)) >= 0)) {
                at++;
            }
            if (skip('=')) {
                value();
            }
        }
    }

    private void value() throws ProblemException {
        char first = next("The value of a parameter");
        at--;
        if (first == '"') {
            string();
        } else if (first == '-' || isDigit()) {
            number();
        } else if (isAlpha(first) || first == '*') {
            while (at < end && isTokenPart(text.charAt(at))) {
                at++;
            }
        } else {
            at++;
            special(first);
        }
    }

    private void special(char first) throws ProblemException {
        switch (first) {
            case ':' -> bytes();
            case '?' -> {
                char truth = next("0 or 1");
                if (truth != '0' && truth != '1') {
                    throw back("0 or 1 was expected");
                }
            }
            case '@' -> {
                int start = at;
                if (!number()) {
                    at = start;
                    throw wrong("A date is a whole number");
                }
            }
            case '%' -> display();
            default -> throw back("The value of a parameter was expected");
        }
    }

    /** Reads a number and returns true if it is an integer. */
    private boolean number() throws ProblemException {
        skip('-');
        int start = at;
        int whole = digits();
        if (!skip('.')) {
            if (whole > MAX_INTEGER_DIGITS) {
                at = start;
                throw wrong("An integer has at most " + MAX_INTEGER_DIGITS + " digits");
            }
            return true;
        }
        if (whole > MAX_WHOLE_DIGITS || digits() > MAX_FRACTION_DIGITS) {
            at = start;
            throw wrong("A decimal has at most " + MAX_WHOLE_DIGITS + " digits before its point and "
                    + MAX_FRACTION_DIGITS + " after it");
        }
        return false;
    }

    private int digits() throws ProblemException {
        int start = at;
        while (isDigit()) {
            at++;
        }
        if (at == start) {
            throw wrong("A digit was expected");
        }
        return at - start;
    }

    private void bytes() throws ProblemException {
        int start = at;
        int close = text.indexOf(':', at);
        if (close < 0 || close >= end) {
            throw wrong("A byte sequence ends in a colon");
        }
        try {
            Base64.getDecoder().decode(text.substring(start, close));
        } catch (IllegalArgumentException e) {
            throw wrong("A byte sequence is base64");
        }
        at = close + 1;
    }

    private void display() throws ProblemException {
        expect('"', "A double quote");
        int start = at;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (char c = next("A closing quote"); c != '"'; c = next("A closing quote")) {
            if (c == '%') {
                bytes.write(hex() << 4 | hex());
            } else if (c < ' ' || c > '~') {
                throw back("The character is not allowed in a string; printable ASCII characters are");
            } else {
                bytes.write(c);
            }
        }
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
        } catch (CharacterCodingException e) {
            at = start;
            throw wrong("A display string is UTF-8");
        }
    }

    private int hex() throws ProblemException {
        char c = next("A hexadecimal digit");
        if (!HexFormat.isHexDigit(c) || (c >= 'A' && c <= 'F')) {
            throw back("A hexadecimal digit was expected, in lower case");
        }
        return HexFormat.fromHexDigit(c);
    }

    private boolean skip(char c) {
        boolean found = at < end && text.charAt(at) == c;
        at += found ? 1 : 0;
        return found;
    }

    private void expect(char c, String what) throws ProblemException {
        if (!skip(c)) {
            throw wrong(what + " was expected");
        }
    }

    private char next(String what) throws ProblemException {
        if (at == end) {
            throw wrong(what + " was expected");
        }
        return text.charAt(at++);
    }

    private boolean isDigit() {
        return at < end && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    private static boolean isAlpha(char c) {
        return isLower(c) || (c >= 'A' && c <= 'Z');
    }

    private static boolean isTokenPart(char c) {
        return ParameterizedHeader.isTokenPart(c) || c == ':' || c == '/';
    }

    /** About the character that was just taken. */
    private ProblemException back(String problem) {
        at--;
        return wrong(problem);
    }

    private ProblemException wrong(String problem) {
        return new ProblemException(
                Problem.ProblemType.KEY_INVALID, "The key is no string of RFC 9651: " + problem + ", at index " + at);
    }
}
