package io.onefold.payload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one byte sequence for all spellings of a payload. It starts with the version and the kind of payload; then:
 *
 * <pre>
 * value  = n | f | t                            null, false, true
 *        | # [[-] digits [e exponent]] END      digits without zeros at either end; zero has none
 *        | " length characters                the length in four bytes
 *        | [ value* END
 *        | &lt; value* END                         a set: elements in the order of their bytes
 *        | { (" length name value)* END         members in the order of their names
 * </pre>
 *
 * Texts say how long they are, and END starts no value and is no digit, so the sequence can be parsed back in only one
 * way: no text can imitate structure, and equal sequences mean equal payloads. {@link CanonicalFields} relies on it to take one apart.
 */
final class CanonicalForm extends ValueWalker {

    static final byte VERSION = 1;
    static final byte TREE = 'T';
    static final byte FORM = 'F';
    static final byte RAW = 'R';
    static final byte END = (byte) 0xFF;

    private final int maxBytes;
    private final ByteArrayBuilder out = new ByteArrayBuilder();
    private FieldSelection at;
    private boolean selected;

    private CanonicalForm(FieldSelection selection, int maxDepth, int maxBytes) {
        super(maxDepth, true);
        this.at = selection;
        this.maxBytes = maxBytes;
    }

    static byte[] of(byte kind, @Nullable Object value, FieldSelection selection, int maxDepth, int maxBytes) {
        CanonicalForm canonical = new CanonicalForm(selection, maxDepth, maxBytes);
        canonical.out.put(VERSION);
        canonical.out.put(kind);
        canonical.value(value);
        canonical.checkSize(canonical.out.size());
        if (!canonical.selected) {
            throw new UnsupportedValueException(
                    "the payload holds none of the selected paths, so it would match any other without them");
        }
        return canonical.out.cut(0);
    }

    @Override
    void bracket(char bracket) {
        boolean opens = bracket == '{' || bracket == '[' || bracket == '<';
        checkSize(out.size());
        selected |= opens && at.isWhole();
        out.put(opens ? bracket : END);
    }

    @Override
    void member(String name, @Nullable Object value) {
        FieldSelection outside = at;
        at = outside.enter(name);
        if (!at.isNone()) {
            super.member(name, value);
        }
        at = outside;
    }

    @Override
    void name(String name) {
        checkSize(name.length());
        out.put('"');
        out.putPrefixed(name);
    }

    @Override
    void set(Set<?> set) {
        enter('<');
        int start = out.size();
        List<byte[]> elements = new ArrayList<>();
        for (Object element : set) {
            int from = out.size();
            inside("[]", element);
            elements.add(out.cut(from));
        }
        elements.sort(Arrays::compareUnsigned);
        out.truncate(start);
        elements.forEach(out::put);
        bracket('>');
    }

    @Override
    void scalar(@Nullable Object value) {
        selected = true;
        if (value instanceof String text) {
            name(text);
        } else if (value == null) {
            out.put('n');
        } else if (value instanceof Boolean truth) {
            out.put(truth ? 't' : 'f');
        } else {
            number(value instanceof Number number ? JsonNumber.textOf(number) : value.toString());
        }
    }

    /** Only the digits between the outer zeros and their power of ten tell numbers apart. */
    private void number(String text) {
        int point = -1;
        int to = text.length();
        for (int i = 0; i < to; i++) {
            char c = text.charAt(i);
            point = c == '.' ? i : point;
            to = c == 'e' || c == 'E' ? i : to;
        }
        long exponent = to == text.length() ? 0 : Long.parseLong(text, to + 1, text.length(), 10);
        exponent -= point < 0 ? 0 : to - point - 1;
        boolean negative = text.charAt(0) == '-';
        int from = negative ? 1 : 0;
        while (from < to && text.charAt(from) <= '0') {
            from++;
        }
        for (; to > from && text.charAt(to - 1) <= '0'; to--) {
            exponent += text.charAt(to - 1) == '0' ? 1 : 0;
        }
        out.put('#');
        if (negative && from < to) {
            out.put('-');
        }
        for (int i = from; i < to; i++) {
            if (i != point) {
                out.put(text.charAt(i));
            }
        }
        if (exponent != 0 && from < to) {
            out.put("e" + exponent);
        }
        out.put(END);
    }

    private void checkSize(int bytes) {
        if (bytes > maxBytes) {
            throw new UnsupportedValueException("larger than the limit of " + maxBytes + " bytes");
        }
    }
}
