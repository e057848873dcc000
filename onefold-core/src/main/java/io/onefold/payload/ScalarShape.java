package io.onefold.payload;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Booleans, numbers and everything that is stored as one string. */
record ScalarShape<T, N>(
        Class<T> type,
        Class<N> node,
        Function<T, N> write,
        Function<N, T> parse,
        @Nullable Object missing,
        boolean nullable)
        implements Shape {

    private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");
    private static final Map<Class<?>, Shape> ALL = new HashMap<>();

    static {
        add(boolean.class, false, Boolean.class, Boolean.class, value -> value, tree -> tree);
        add(char.class, '\0', Character.class, String.class, Object::toString, ScalarShape::character);
        addInteger(byte.class, (byte) 0, Byte.class, Byte.MIN_VALUE, Byte.MAX_VALUE, value -> (byte) value);
        addInteger(short.class, (short) 0, Short.class, Short.MIN_VALUE, Short.MAX_VALUE, value -> (short) value);
        addInteger(int.class, 0, Integer.class, Integer.MIN_VALUE, Integer.MAX_VALUE, value -> (int) value);
        addInteger(long.class, 0L, Long.class, Long.MIN_VALUE, Long.MAX_VALUE, value -> value);
        // NaN and the infinities are no JSON numbers, so they are strings, and any other string is refused.
        add(float.class, 0f, Float.class, Object.class, value -> floating(value, Float.isFinite(value)), tree -> {
            float value = Float.parseFloat(floatingText(tree));
            checkFinite(tree, Float.isFinite(value));
            return value;
        });
        add(double.class, 0d, Double.class, Object.class, value -> floating(value, Double.isFinite(value)), tree -> {
            double value = Double.parseDouble(floatingText(tree));
            checkFinite(tree, Double.isFinite(value));
            return value;
        });
        add(BigDecimal.class, JsonNumber.class, value -> new JsonNumber(value.toString()), JsonNumber::toBigDecimal);
        add(BigInteger.class, JsonNumber.class, value -> new JsonNumber(value.toString()), ScalarShape::bigInteger);
        add(String.class, String.class, value -> value, tree -> tree);
        add(byte[].class, String.class, Base64.getEncoder()::encodeToString, ScalarShape::base64);
    }

    static @Nullable Shape of(Class<?> type) {
        TextForm<?> form = TextForm.of(type);
        return form == null ? ALL.get(type) : of(form);
    }

    private static <T> Shape of(TextForm<T> form) {
        return new ScalarShape<>(form.type(), String.class, form.write(), form::read, null, true);
    }

    static <E extends Enum<E>> Shape ofEnum(Class<?> type) {
        @SuppressWarnings("unchecked")
        Class<E> constants = (Class<E>) type;
        return new ScalarShape<>(constants, String.class, Enum::name, name -> constant(constants, name), null, true);
    }

    @Override
    public Object toTree(Object value) {
        return write.apply(type.cast(value));
    }

    @Override
    public Object fromTree(Object tree) {
        return parse.apply(Shape.expect(node, tree));
    }

    @Override
    public @Nullable Object nothing() {
        if (!nullable) {
            throw new MisfitException("null where a primitive " + type.getSimpleName() + " is declared");
        }
        return null;
    }

    private static <T, N> void add(Class<T> type, Class<N> node, Function<T, N> write, Function<N, T> parse) {
        ALL.put(type, new ScalarShape<>(type, node, write, parse, null, true));
    }

    private static <T, N> void add(
            Class<?> primitive, T zero, Class<T> box, Class<N> node, Function<T, N> write, Function<N, T> parse) {
        add(box, node, write, parse);
        ALL.put(primitive, new ScalarShape<>(box, node, write, parse, zero, false));
    }

    private static <T> void addInteger(
            Class<?> primitive, T zero, Class<T> box, long min, long max, LongFunction<T> narrow) {
        add(primitive, zero, box, JsonNumber.class, value -> new JsonNumber(value.toString()), tree -> {
            long value;
            try {
                value = tree.toBigDecimal().longValueExact();
            } catch (ArithmeticException e) {
                throw outOfRange(box);
            }
            if (value < min || value > max) {
                throw outOfRange(box);
            }
            return narrow.apply(value);
        });
    }

    private static MisfitException outOfRange(Class<?> type) {
        return new MisfitException("a number that does not fit " + type.getName());
    }

    private static Object floating(Number value, boolean finite) {
        return finite ? new JsonNumber(value.toString()) : value.toString();
    }

    private static String floatingText(Object tree) {
        if (tree instanceof String text && NOT_FINITE.contains(text)) {
            return text;
        }
        return Shape.expect(JsonNumber.class, tree).text();
    }

    private static void checkFinite(Object tree, boolean finite) {
        if (tree instanceof JsonNumber && !finite) {
            throw new MisfitException("a number beyond the range of its floating-point type");
        }
    }

    private static char character(String text) {
        if (text.length() != 1) {
            throw new MisfitException("expected a single character");
        }
        return text.charAt(0);
    }

    /** Only digits: an exponent would have to be written out. */
    private static BigInteger bigInteger(JsonNumber number) {
        try {
            return new BigInteger(number.text());
        } catch (NumberFormatException e) {
            throw outOfRange(BigInteger.class);
        }
    }

    private static byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new MisfitException("not base64");
        }
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String name) {
        try {
            return Enum.valueOf(type, name);
        } catch (IllegalArgumentException e) {
            throw new MisfitException("an unknown constant of " + type.getName());
        }
    }
}
