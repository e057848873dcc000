package io.onefold.http;

import io.onefold.Key;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of keys (H2 to H5, H7). Keys are compared as they are, in every bit; {@code "abc"} in quotes and {@code abc} without
 * are the same key. Immutable; each method returns a changed copy.
 */
public final class KeySyntax {
    private static final Pattern UUID =
            Pattern.compile("[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}");

    private final SyntaxForm form;
    private final int min;
    private final int max;
    private final @Nullable Pattern pattern;

    private KeySyntax(SyntaxForm form, int min, int max, @Nullable Pattern pattern) {
        this.form = form;
        this.min = min;
        this.max = max;
        this.pattern = pattern;
    }

    /** With quotes as RFC 9651 has them, or without, as most clients send it. */
    public static KeySyntax lenient() {
        return new KeySyntax(SyntaxForm.LENIENT, 1, Key.MAX_LENGTH, null);
    }

    /** A string of RFC 9651 only, as the IETF's draft has it. */
    public static KeySyntax strict() {
        return new KeySyntax(SyntaxForm.STRICT, 1, Key.MAX_LENGTH, null);
    }

    /** Without quotes only. */
    public static KeySyntax bare() {
        return new KeySyntax(SyntaxForm.BARE, 1, Key.MAX_LENGTH, null);
    }

    /** A UUID, with quotes or without. It is not brought into another case: upper and lower case are two keys. */
    public static KeySyntax uuid() {
        return new KeySyntax(SyntaxForm.UUID, 1, Key.MAX_LENGTH, null);
    }

    /** Limits the number of characters of a key, without its quotes. */
    public KeySyntax length(int min, int max) {
        if (min < 1 || max > Key.MAX_LENGTH || min > max) {
            throw new IllegalArgumentException(
                    "length must be a range within 1 and " + Key.MAX_LENGTH + ", not from " + min + " to " + max);
        }
        return new KeySyntax(form, min, max, pattern);
    }

    /** No longer than this. */
    KeySyntax atMost(int most) {
        return length(min, Math.min(max, most));
    }

    /** Sets the pattern that the whole key must match, without its quotes. */
    public KeySyntax pattern(Pattern whole) {
        return new KeySyntax(form, min, max, whole);
    }

    /** The key in the value of a header. */
    public String parse(String value) throws ProblemException {
        int from = 0;
        int to = value.length();
        while (from < to && isSpace(value.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(value.charAt(to - 1))) {
            to--;
        }
        boolean quoted = from < to && value.charAt(from) == '"';
        if (form == SyntaxForm.STRICT && from < to && !quoted) {
            throw invalid("The key must stand in double quotes");
        }
        return checked(
                quoted && form != SyntaxForm.BARE
                        ? StructuredFieldItem.string(value, from, to)
                        : bare(value, from, to));
    }

    /** The key that is a value in a query, a form or JSON: these have quotes of their own, so here they would be part of the key. */
    String plain(String value) throws ProblemException {
        return checked(bare(value, 0, value.length()));
    }

    /** Bare where it can be, else as RFC 9651 has it. */
    static String spelled(String key) {
        return CharacterRules.all(key, KeySyntax::isBare)
                ? key
                : '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static boolean isBare(int c) {
        return c > ' ' && c <= '~' && c != '"' && c != '\\' && c != ',';
    }

    private static String bare(String value, int from, int to) throws ProblemException {
        for (int i = from; i < to; i++) {
            char c = value.charAt(i);
            if (c == ',') {
                throw invalid("There is a comma at index " + i + ": one key is allowed, and none has commas");
            }
            if (!isBare(c)) {
                throw invalid("The character at index " + i
                        + " is not allowed; visible ASCII characters are, except quotes, backslashes and commas");
            }
        }
        return value.substring(from, to);
    }

    private String checked(String key) throws ProblemException {
        if (key.isBlank()) {
            throw invalid(key.isEmpty() ? "The key is empty" : "The key is blank: it has nothing but spaces");
        }
        if (key.length() < min || key.length() > max) {
            throw invalid("The key has " + key.length() + " characters; " + min + " to " + max + " are allowed");
        }
        if (form == SyntaxForm.UUID && !UUID.matcher(key).matches()) {
            throw invalid("The key is not a UUID, such as 01890a5d-ac96-774b-bcce-b302099a8057");
        }
        if (pattern != null && !pattern.matcher(key).matches()) {
            throw invalid("The key does not match " + pattern);
        }
        return key;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    private static ProblemException invalid(String detail) {
        return new ProblemException(Problem.ProblemType.KEY_INVALID, detail);
    }

    private enum SyntaxForm {
        LENIENT,
        STRICT,
        BARE,
        UUID
    }
}
