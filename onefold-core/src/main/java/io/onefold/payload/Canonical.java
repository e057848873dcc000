package io.onefold.payload;

import java.util.ArrayList;
import java.util.Arrays;
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
 *        | NUMBER [[-] digits [e exponent]] END       digits without zeros at either end; zero has none
 *        | TEXT characters END
 *        | LIST value* END
 *        | SET value* END                             elements in the order of their bytes
 *        | OBJECT (TEXT name END value)* END          members in the order of their names
 * </pre>
 *
 * END is a byte that occurs in no text and is no tag, so the sequence can be parsed back in only one way: no text can
 * imitate structure, and equal sequences mean equal payloads. {@link Fields} relies on it to take one apart.
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
    static final byte END = (byte) 0xFF;

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
            scalar(TEXT);
            text(text);
        } else if (value instanceof JsonNumber number) {
            number(number.text());
        } else if (value instanceof Number number) {
            number(JsonNumber.textOf(number));
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
            open(SET, at, depth);
            set(set, at, depth);
            out.put(END);
        } else if (value instanceof Collection<?> list) {
            list(list, at, depth);
        } else if (value instanceof Optional<?> optional) {
            value(optional.orElse(null), at, depth);
        } else if (value.getClass().isArray() && !(value instanceof byte[])) {
            list(Shape.elements(value), at, depth);
        } else {
            scalar(TEXT);
            text(Scalar.textOf(value));
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
        if (inside.isNone()) {
            return;
        }
        try {
            out.put(TEXT);
            text(name);
            value(value, inside, depth + 1);
        } catch (MisfitException e) {
            throw e.within(name);
        }
    }

    private void list(Collection<?> list, Selection at, int depth) {
        open(LIST, at, depth);
        list.forEach(element -> element(element, at, depth));
        out.put(END);
    }

    private void element(@Nullable Object value, Selection at, int depth) {
        try {
            value(value, at, depth + 1);
        } catch (MisfitException e) {
            throw e.within("[]");
        }
    }

    private void set(Set<?> set, Selection at, int depth) {
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
    }

    private static Map<String, @Nullable Object> sorted(Map<?, ?> map) {
        Map<String, @Nullable Object> sorted = new TreeMap<>();
        map.forEach((key, value) -> {
            String name = key instanceof String text ? text : Scalar.textOf(key);
            if (sorted.containsKey(name)) {
                throw new MisfitException("two keys of the map are written alike").within(name);
            }
            sorted.put(name, value);
        });
        return sorted;
    }

    /** Only the digits between the outer zeros and their power of ten tell numbers apart. */
    private void number(String text) {
        int e = Math.max(text.indexOf('e'), text.indexOf('E'));
        int to = e < 0 ? text.length() : e;
        int point = text.indexOf('.');
        long exponent = (e < 0 ? 0 : Long.parseLong(text, e + 1, text.length(), 10)) - (point < 0 ? 0 : to - point - 1);
        int from = text.charAt(0) == '-' ? 1 : 0;
        int sign = from;
        while (from < to && text.charAt(from) <= '0') {
            from++;
        }
        for (; to > from && text.charAt(to - 1) <= '0'; to--) {
            exponent += text.charAt(to - 1) == '0' ? 1 : 0;
        }
        scalar(NUMBER);
        if (from < to) {
            if (sign > 0) {
                out.put('-');
            }
            for (int i = from; i < to; i++) {
                if (i != point) {
                    out.put(text.charAt(i));
                }
            }
            if (exponent != 0) {
                out.put('e');
                out.put(Long.toString(exponent));
            }
        }
        out.put(END);
    }

    private void text(String text) {
        checkSize(text.length());
        out.put(text);
        out.put(END);
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
