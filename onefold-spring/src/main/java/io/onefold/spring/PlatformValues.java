package io.onefold.spring;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Path;
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
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts values of the JDK's own classes, whose fields cannot be read, to values for {@link io.onefold.payload.Fingerprinter#value}. */
final class PlatformValues {
    private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

    /** Classes whose values are taken unchanged. */
    private static final Set<Class<?>> PLAIN = Set.of(
            String.class,
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            BigDecimal.class,
            BigInteger.class,
            UUID.class,
            URI.class,
            Currency.class,
            Locale.class,
            Instant.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetDateTime.class,
            OffsetTime.class,
            ZonedDateTime.class,
            Duration.class,
            Period.class,
            Year.class,
            YearMonth.class,
            MonthDay.class);

    /** Readers by class. The first class that a value is an instance of counts. */
    private static final Map<Class<?>, Function<Object, @Nullable Object>> READ = new LinkedHashMap<>();

    static {
        read(Number.class, number -> isNotFinite(number) ? number.toString() : number);
        read(CharSequence.class, Object::toString);
        read(byte[].class, bytes -> bytes);
        read(Date.class, PlatformValues::instant);
        read(ZoneId.class, zone -> zone);
        read(Calendar.class, at -> List.of(at.toInstant(), at.getTimeZone().getID()));
        read(TimeZone.class, TimeZone::getID);
        read(OptionalInt.class, value -> value.isPresent() ? value.getAsInt() : null);
        read(OptionalLong.class, value -> value.isPresent() ? value.getAsLong() : null);
        read(OptionalDouble.class, value -> value.isPresent() ? value.getAsDouble() : null);
        read(URL.class, URL::toExternalForm);
        read(File.class, File::getPath);
        read(Path.class, Path::toString);
        read(Pattern.class, pattern -> List.of(pattern.pattern(), pattern.flags()));
        read(InetAddress.class, InetAddress::getHostAddress);
        read(Charset.class, Charset::name);
        read(Class.class, type -> type.getName());
        read(AtomicBoolean.class, AtomicBoolean::get);
        read(BitSet.class, BitSet::toLongArray);
        read(ByteBuffer.class, PlatformValues::bytes);
    }

    private PlatformValues() {}

    @SuppressWarnings("unchecked") // it is only called for instances of the type
    private static <T> void read(Class<T> type, Function<T, @Nullable Object> how) {
        READ.put(type, (Function<Object, @Nullable Object>) (Function<?, ?>) how);
    }

    /** Returns true if the class belongs to the JDK. */
    static boolean isPlatform(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == PLATFORM;
    }

    static boolean isPlain(Class<?> type) {
        return PLAIN.contains(type);
    }

    /** Returns true if values that are declared with this class of the JDK are known. */
    static boolean isKnown(Class<?> type) {
        return PLAIN.contains(type)
                || type == Optional.class
                || type == AtomicReference.class
                || Map.Entry.class.isAssignableFrom(type)
                || READ.keySet().stream()
                        .anyMatch(known -> known.isAssignableFrom(type) || type.isAssignableFrom(known));
    }

    /** Returns the reader for values of the class; null if they are not known. */
    static @Nullable Function<Object, @Nullable Object> reading(Class<?> type) {
        for (Map.Entry<Class<?>, Function<Object, @Nullable Object>> each : READ.entrySet()) {
            if (each.getKey().isAssignableFrom(type)) {
                return each.getValue();
            }
        }
        return null;
    }

    private static boolean isNotFinite(Number number) {
        return (number instanceof Double || number instanceof Float) && !Double.isFinite(number.doubleValue());
    }

    @SuppressWarnings("JavaUtilDate") // arguments may be dates
    private static Object instant(Date date) {
        try {
            return date.toInstant();
        } catch (UnsupportedOperationException e) {
            return Instant.ofEpochMilli(date.getTime()); // a date or a time of SQL, which has no instant
        }
    }

    private static Object bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /** A list that may hold null. */
    static List<@Nullable Object> list(@Nullable Object... elements) {
        return Collections.unmodifiableList(Arrays.asList(elements));
    }
}
