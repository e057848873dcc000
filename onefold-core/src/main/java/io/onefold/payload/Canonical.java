package io.onefold.payload;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The one byte sequence for all spellings of a payload. It starts with the version and the kind of payload; then every
 * value starts with its tag:
 *
 * <pre>
 * value  = NULL | FALSE | TRUE
 *        | NUMBER sign [exponent length digits]       digits without zeros at either end; zero has neither
 *        | TEXT length characters                     length in UTF-16 units, characters in UTF-8
 *        | LIST value* END
 *        | SET value* END                             elements in the order of their bytes
 *        | OBJECT (TEXT name value)* END              members in the order of their names
 * </pre>
 *
 * Lengths stand before contents and every tag differs from END, so the sequence can be parsed back in only one way: no
 * text can imitate structure, and equal sequences mean equal payloads. {@link Fields} relies on it to take one apart.
 */
final class Canonical {

    static final byte VERSION = 1;
    static final byte TREE = 'T';
    static final byte FORM = 'F';
    static final byte RAW = 'R';

    static final byte NULL = 0;
    static final byte FALSE = 1;
    static final byte TRUE = 2;
    static final byte NUMBER = 3;
    static final byte TEXT = 4;
    static final byte LIST = 5;
    static final byte SET = 6;
    static final byte OBJECT = 7;
    static final byte END = 8;

    private final int maxDepth;
    private final int maxBytes;
    private final ByteSink out = new ByteSink();
    private boolean selected;

    Canonical(byte kind, int maxDepth, int maxBytes) {
        this.maxDepth = maxDepth;
        this.maxBytes = maxBytes;
        out.put(VERSION);
        out.put(kind);
    }

    byte[] of(@Nullable Object value, Selection selection) {
        value(value, selection, 0);
        checkSize(out.size());
        if (!selected) {
            throw new MisfitException(
                    "the payload holds none of the selected paths, so it would match any other without them");
        }
        return out.cut(0);
    }

    private void value(@Nullable Object value, Selection at, int depth) {
        if (value == null) {
            scalar(NULL);
        } else if (value instanceof String text) {
            text(text);
        } else if (value instanceof Number || value instanceof JsonNumber) {
            number(value);
        } else if (value instanceof Boolean truth) {
            scalar(truth ? TRUE : FALSE);
        } else if (value instanceof Record record) {
            open(OBJECT, at, depth);
            for (RecordType.Component component :
                    RecordType.of(record.getClass()).sorted()) {
                member(component.name(), component.get(record), at, depth);
            }
            out.put(END);
        } else if (value instanceof Map<?, ?> map) {
            open(OBJECT, at, depth);
            sorted(map).forEach((name, member) -> member(name, member, at, depth));
            out.put(END);
        } else if (value instanceof Set<?> set) {
            set(set, at, depth);
        } else if (value instanceof Collection<?> list) {
            open(LIST, at, depth);
            list.forEach(element -> element(element, at, depth));
            out.put(END);
        } else if (value instanceof Optional<?> optional) {
            value(optional.orElse(null), at, depth);
        } else if (value.getClass().isArray() && !(value instanceof byte[])) {
            open(LIST, at, depth);
            for (int i = 0; i < Array.getLength(value); i++) {
                element(Array.get(value, i), at, depth);
            }
            out.put(END);
        } else {
            text(requireText(value));
        }
    }

    private void open(byte tag, Selection at, int depth) {
        if (depth == maxDepth) {
            throw new MisfitException("nested deeper than " + maxDepth + " levels; is the structure cyclic?");
        }
        checkSize(out.size());
        selected |= at.isWhole();
        out.put(tag);
    }

    private void member(String name, @Nullable Object value, Selection at, int depth) {
        Selection inside = at.enter(name);
        if (inside == Selection.NONE) {
            return;
        }
        try {
            writeText(name);
            value(value, inside, depth + 1);
        } catch (MisfitException e) {
            throw e.within(name);
        }
    }

    private void element(@Nullable Object value, Selection at, int depth) {
        try {
            value(value, at, depth + 1);
        } catch (MisfitException e) {
            throw e.within("[]");
        }
    }

    private void set(Set<?> set, Selection at, int depth) {
        open(SET, at, depth);
        int start = out.size();
        List<byte[]> elements = new ArrayList<>();
        for (Object element : set) {
            int from = out.size();
            element(element, at, depth);
            elements.add(out.cut(from));
        }
        elements.sort(Arrays::compareUnsigned);
        out.truncate(start);
        elements.forEach(out::put);
        out.put(END);
    }

    private static Map<String, @Nullable Object> sorted(Map<?, ?> map) {
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        map.forEach((key, value) -> {
            String name = name(key);
            if (sorted.containsKey(name)) {
                throw new MisfitException("two keys of the map are written alike").within(name);
            }
            sorted.put(name, value);
        });
        return sorted;
    }

    private static String name(@Nullable Object key) {
        if (key instanceof String text) {
            return text;
        }
        if (key == null) {
            throw new MisfitException("a null key");
        }
        return key instanceof Number number ? Decimals.of(number).toString() : requireText(key);
    }

    private static String requireText(Object value) {
        if (value instanceof CharSequence || value instanceof Character) {
            return value.toString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        String text = TextForm.textOf(value);
        if (text == null) {
            throw new MisfitException(
                    "cannot take the fingerprint of a " + value.getClass().getName()
                            + ": pass its JSON to Fingerprinter.json, or use the onefold-jackson module");
        }
        return text;
    }

    private void number(Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            digits(value.toString(), 0);
        } else if (value instanceof JsonNumber number) {
            digits(number.digits(), number.exponent());
        } else {
            BigDecimal decimal = Decimals.of((Number) value);
            digits(decimal.unscaledValue().toString(), -(long) decimal.scale());
        }
    }

    /** Writes digits times ten to the exponent; only the digits between the outer zeros tell numbers apart. */
    private void digits(String digits, long exponent) {
        int from = digits.charAt(0) == '-' ? 1 : 0;
        int to = digits.length();
        int sign = from == 0 ? 1 : 2;
        while (from < to && digits.charAt(from) == '0') {
            from++;
        }
        while (from < to && digits.charAt(to - 1) == '0') {
            to--;
        }
        scalar(NUMBER);
        out.put((byte) (from == to ? 0 : sign));
        if (from < to) {
            long shifted = exponent + (digits.length() - to);
            out.putLong((shifted << 1) ^ (shifted >> 63));
            out.putText(digits, from, to);
        }
    }

    private void text(String text) {
        selected = true;
        writeText(text);
    }

    private void writeText(String text) {
        checkSize(text.length());
        out.put(TEXT);
        out.putText(text, 0, text.length());
    }

    private void scalar(byte tag) {
        selected = true;
        out.put(tag);
    }

    private void checkSize(int bytes) {
        if (bytes > maxBytes) {
            throw new MisfitException("larger than the limit of " + maxBytes + " bytes");
        }
    }
}
