package io.onefold.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads bytes as an Item of RFC 9651 whose value is a String, and compares that with the grammar of the RFC as a pattern. A target for
 * Jazzer, too: {@code --target_class=io.onefold.http.StructuredFuzz}.
 */
public final class StructuredFuzz {
    private static final String STRING = "\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*+\"";

    /** Where the grammar says less than the text of the RFC: padding of Base64, and UTF-8 in what is displayed. */
    private static final String CODED = ":[A-Za-z0-9+/=]*+:|%\"(?:[ !#$&-~]|%[0-9a-f]{2})*+\"";

    private static final String VALUE = "-?[0-9]{1,12}\\.[0-9]{1,3}|@?-?[0-9]{1,15}|" + STRING
            + "|[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*+|\\?[01]|" + CODED;
    private static final Pattern ITEM =
            Pattern.compile("(?<string>" + STRING + ")((?:; *[a-z*][a-z0-9_.*-]*+(?:=(?:" + VALUE + "))?)*+)");

    private StructuredFuzz() {}

    /** It is taken if and only if it is one, and says what stands between its quotes. */
    public static void fuzzerTestOneInput(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1);
        Matcher grammar = ITEM.matcher(text);
        boolean item = grammar.matches();
        String read;
        try {
            read = StructuredFieldItem.string(text, 0, text.length());
        } catch (ProblemException e) {
            if (item && !text.matches("(?s).*=[:%].*")) {
                throw new AssertionError("refused: " + text, e);
            }
            return;
        }
        if (!item) {
            throw new AssertionError("taken: " + text);
        }
        String string = grammar.group("string");
        if (!read.equals(string.substring(1, string.length() - 1).replaceAll("\\\\(.)", "$1"))) {
            throw new AssertionError("read as " + read + ": " + text);
        }
    }
}
