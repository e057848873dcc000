package io.onefold.payload;

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
import java.util.Currency;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Immutable JDK types with one exact text form, which a fingerprint hashes and a codec stores. */
record TextForm<T>(Class<T> type, Function<T, String> write, Function<String, T> parse) {

    private static final Map<Class<?>, TextForm<?>> ALL = Stream.of(
                    new TextForm<>(UUID.class, UUID::toString, UUID::fromString),
                    new TextForm<>(URI.class, URI::toString, URI::create),
                    new TextForm<>(Currency.class, Currency::getCurrencyCode, Currency::getInstance),
                    new TextForm<>(Locale.class, TextForm::tag, Locale::forLanguageTag),
                    new TextForm<>(Instant.class, Instant::toString, Instant::parse),
                    new TextForm<>(LocalDate.class, LocalDate::toString, LocalDate::parse),
                    new TextForm<>(LocalTime.class, LocalTime::toString, LocalTime::parse),
                    new TextForm<>(LocalDateTime.class, LocalDateTime::toString, LocalDateTime::parse),
                    new TextForm<>(OffsetDateTime.class, OffsetDateTime::toString, OffsetDateTime::parse),
                    new TextForm<>(OffsetTime.class, OffsetTime::toString, OffsetTime::parse),
                    new TextForm<>(ZonedDateTime.class, ZonedDateTime::toString, ZonedDateTime::parse),
                    new TextForm<>(Duration.class, Duration::toString, Duration::parse),
                    new TextForm<>(Period.class, Period::toString, Period::parse),
                    // Both print years beyond 9999 without the plus sign that their own parse asks for.
                    new TextForm<>(Year.class, Year::toString, text -> Year.of(Integer.parseInt(text))),
                    new TextForm<>(YearMonth.class, YearMonth::toString, TextForm::yearMonth),
                    new TextForm<>(MonthDay.class, MonthDay::toString, MonthDay::parse),
                    new TextForm<>(ZoneOffset.class, ZoneOffset::getId, ZoneOffset::of),
                    new TextForm<>(ZoneId.class, ZoneId::getId, ZoneId::of))
            .collect(Collectors.toUnmodifiableMap(TextForm::type, form -> form));

    static @Nullable TextForm<?> of(Class<?> declared) {
        return ALL.get(declared);
    }

    /** The text of a value of one of these types, else null. */
    static @Nullable String textOf(Object value) {
        TextForm<?> form = ALL.get(value instanceof ZoneId ? ZoneId.class : value.getClass());
        return form == null ? null : form.text(value);
    }

    String text(Object value) {
        return write.apply(type.cast(value));
    }

    T read(String text) {
        try {
            return parse.apply(text);
        } catch (RuntimeException e) {
            // The cause would repeat the stored text.
            throw new MisfitException("not a " + type.getName());
        }
    }

    private static String tag(Locale locale) {
        String tag = locale.toLanguageTag();
        if (!Locale.forLanguageTag(tag).equals(locale)) {
            throw new MisfitException("a locale that has no exact language tag");
        }
        return tag;
    }

    private static YearMonth yearMonth(String text) {
        int dash = text.lastIndexOf('-');
        return YearMonth.of(Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
    }
}
