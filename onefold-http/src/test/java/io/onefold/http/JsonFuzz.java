package io.onefold.http;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON value in two notations, and another one besides. A target for Jazzer, too:
 * {@code --target_class=io.onefold.http.JsonFuzz}.
 */
public final class JsonFuzz {
    private static final String[] LETTERS = {
        "a", "B", "0", " ", "/", "\"", "\\", "\n", "\u00e9", "\u4e2d", "\ud83d\ude00"
    };

    private JsonFuzz() {}

    /** Both notations have one fingerprint, and a value that differs in one place has another. */
    public static void fuzzerTestOneInput(byte[] bytes) throws ProblemException {
        Choices choices = new Choices(bytes);
        Object value = value(choices, 3);
        String one = written(value, choices);
        String two = written(value, choices);
        String other = written(changed(value, choices), choices);
        if (!Sent.json(one).print().equals(Sent.json(two).print())) {
            throw new AssertionError("two fingerprints: " + one + " and " + two);
        }
        if (Sent.json(one).print().equals(Sent.json(other).print())) {
            throw new AssertionError("one fingerprint: " + one + " and " + other);
        }
    }

    private static @Nullable Object value(Choices choices, int depth) {
        int kind = choices.below(depth == 0 ? 4 : 6);
        if (kind == 0) {
            return choices.yes() ? null : choices.yes();
        }
        if (kind == 1) {
            return choices.text(4, LETTERS);
        }
        if (kind < 4) {
            int unscaled = (choices.below(256) << 8 | choices.below(256)) - 0x8000;
            return new BigDecimal(BigInteger.valueOf(unscaled), choices.below(4));
        }
        int size = choices.below(4);
        if (kind == 4) {
            List<@Nullable Object> list = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                list.add(value(choices, depth - 1));
            }
            return list;
        }
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < size; i++) {
            map.put(choices.text(3, LETTERS), value(choices, depth - 1));
        }
        return map;
    }

    private static @Nullable Object changed(@Nullable Object value, Choices choices) {
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list);
            if (copy.isEmpty()) {
                copy.add(null);
            } else {
                int at = choices.below(copy.size());
                copy.set(at, changed(copy.get(at), choices));
            }
            return copy;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, @Nullable Object> copy = new LinkedHashMap<>(map);
            if (copy.isEmpty()) {
                copy.put("a", null);
            } else {
                Object at = List.copyOf(copy.keySet()).get(choices.below(copy.size()));
                copy.put(at, changed(copy.get(at), choices));
            }
            return copy;
        }
        if (value instanceof BigDecimal number) {
            return number.add(number.ulp());
        }
        return value instanceof Boolean yes ? (Object) !yes : value instanceof String text ? text + "x" : false;
    }

    private static String written(@Nullable Object value, Choices choices) {
        String space = choices.pick("", " ", "\n", "\t ");
        if (value instanceof List<?> list) {
            List<String> items = new ArrayList<>();
            list.forEach(item -> items.add(written(item, choices)));
            return space + "[" + String.join(",", items) + "]" + space;
        }
        if (value instanceof Map<?, ?> map) {
            List<String> members = new ArrayList<>();
            map.forEach((name, member) -> members.add(
                    choices.below(members.size() + 1),
                    space + quoted((String) name, choices) + ":" + written(member, choices)));
            return "{" + String.join(",", members) + space + "}";
        }
        if (value instanceof String text) {
            return space + quoted(text, choices);
        }
        return space + (value instanceof BigDecimal number ? number(number, choices) : value) + space;
    }

    private static String number(BigDecimal number, Choices choices) {
        String exponent =
                choices.pick("e", "E") + (number.scale() == 0 ? choices.pick("0", "+0", "-0") : -number.scale());
        return switch (choices.below(4)) {
            case 0 -> number.toPlainString();
            case 1 -> number.setScale(number.scale() + 2).toPlainString();
            case 2 -> number.unscaledValue() + exponent;
            default -> number.unscaledValue() + ".0" + exponent;
        };
    }

    private static String quoted(String text, Choices choices) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '/' && choices.yes()) {
                quoted.append("\\/");
            } else if (c < ' ' || choices.below(4) == 1 || Character.isSurrogate(c)) {
                quoted.append(String.format(choices.yes() ? "\\u%04x" : "\\u%04X", (int) c));
            } else {
                quoted.append(c == '"' || c == '\\' ? "\\" : "").append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
