package io.onefold.payload;

import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.Currency;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads booleans, numbers and everything with one exact text back from a node of a JSON tree. */
record ScalarType<T, N>(Class<T> type, Class<N> node, Function<N, T> parse) {

    private static final Map<Class<?>, ScalarType<?, ?>> ALL = new HashMap<>();

    static {
        add(Boolean.class, Boolean.class, node -> node);
        number(Byte.class, BigDecimal::byteValueExact);
        number(Short.class, BigDecimal::shortValueExact);
        number(Integer.class, BigDecimal::intValueExact);
        number(Long.class, BigDecimal::longValueExact);
        number(BigDecimal.class, decimal -> decimal);
        // Only digits: an exponent would have to be written out.
        add(BigInteger.class, JsonNumber.class, node -> new BigInteger(node.text()));
        add(Float.class, Object.class, node -> floating(node, Float::valueOf));
        add(Double.class, Object.class, node -> floating(node, Double::valueOf));
        text(String.class, text -> text);
        text(Character.class, ScalarType::character);
        text(byte[].class, Base64.getDecoder()::decode);
        text(UUID.class, UUID::fromString);
        text(URI.class, URI::create);
        text(Currency.class, Currency::getInstance);
        text(Locale.class, Locale::forLanguageTag);
        text(Instant.class, Instant::parse);
        text(LocalDate.class, LocalDate::parse);
        text(LocalTime.class, LocalTime::parse);
        text(LocalDateTime.class, LocalDateTime::parse);
        text(OffsetDateTime.class, OffsetDateTime::parse);
        text(OffsetTime.class, OffsetTime::parse);
        text(ZonedDateTime.class, ZonedDateTime::parse);
        text(Duration.class, Duration::parse);
        text(Period.class, Period::parse);
        // Both print years beyond 9999 without the plus sign that their own parse asks for.
        text(Year.class, text -> Year.of(Integer.parseInt(text)));
        text(YearMonth.class, ScalarType::yearMonth);
        text(MonthDay.class, MonthDay::parse);
        text(ZoneOffset.class, ZoneOffset::of);
        text(ZoneId.class, ZoneId::of);
    }

    private static <T, N> void add(Class<T> type, Class<N> node, Function<N, T> parse) {
        ALL.put(type, new ScalarType<>(type, node, parse));
    }

    private static <T extends Number> void number(Class<T> type, Function<BigDecimal, T> narrow) {
        add(type, JsonNumber.class, node -> narrow.apply(decimal(node.text())));
    }

    /** Most numbers are short integers, which need not be taken apart. */
    private static BigDecimal decimal(String text) {
        boolean digits = text.length() < 18;
        for (int i = 0; digits && i < text.length(); i++) {
            digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return digits ? BigDecimal.valueOf(Long.parseLong(text)) : new BigDecimal(text);
    }

    private static <T> void text(Class<T> type, Function<String, T> parse) {
        add(type, String.class, parse);
    }

    static @Nullable ScalarType<?, ?> of(Class<?> type) {
        return type.isEnum()
                ? ofEnum(type)
                : ALL.get(MethodType.methodType(type).wrap().returnType());
    }

    private static <E extends Enum<E>> ScalarType<E, String> ofEnum(Class<?> type) {
        @SuppressWarnings("unchecked")
        Class<E> constants = (Class<E>) type;
        return new ScalarType<>(constants, String.class, name -> Enum.valueOf(constants, name));
    }

    /** The text of a value that is a string in JSON, or of a key, which always is. */
    static String textOf(@Nullable Object value) {
        if (value == null) {
            throw new UnsupportedValueException("a null key");
        }
        if (value instanceof Number number) {
            return JsonNumber.textOf(number);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        if (value instanceof Locale locale) {
            return tag(locale);
        }
        ScalarType<?, ?> scalar = ALL.get(value instanceof ZoneId ? ZoneId.class : value.getClass());
        if (value instanceof CharSequence || (scalar != null && scalar.node == String.class)) {
            return value.toString();
        }
        throw new UnsupportedValueException(
                "cannot take the fingerprint of a " + value.getClass().getName()
                        + ": pass its JSON to Fingerprinter.json, or use the onefold-jackson module");
    }

    /** Returns true if equal keys have equal texts. */
    boolean isKey() {
        return (node == String.class && type != byte[].class) || (node == JsonNumber.class && type != BigDecimal.class);
    }

    Object read(Object tree) {
        N expected = JsonTypeReader.expect(node, tree);
        try {
            return parse.apply(expected);
        } catch (RuntimeException e) {
            // The cause would repeat what was stored.
            String problem = tree instanceof JsonNumber ? "a number that does not fit " : "not a ";
            throw new UnsupportedValueException(problem + type.getTypeName());
        }
    }

    private static <T extends Number> T floating(Object node, Function<String, T> parse) {
        T value = parse.apply(node.toString());
        boolean finite = Double.isFinite(value.doubleValue());
        if (node instanceof JsonNumber ? !finite : finite || !value.toString().equals(node)) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    private static char character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException();
        }
        return text.charAt(0);
    }

    private static String tag(Locale locale) {
        String tag = locale.toLanguageTag();
        if (!Locale.forLanguageTag(tag).equals(locale)) {
            throw new UnsupportedValueException("a locale that has no exact language tag");
        }
        return tag;
    }

    private static YearMonth yearMonth(String text) {
        int dash = text.lastIndexOf('-');
        return YearMonth.of(Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
    }
}
