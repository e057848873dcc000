package io.onefold.payload.contract;

import static io.onefold.payload.contract.ResultRow.alike;
import static io.onefold.payload.contract.ResultRow.notKept;

import io.onefold.TypeRef;
import java.math.BigDecimal;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Values of the JDK, as they stand in results. */
@SuppressWarnings({"JavaUtilDate", "NonApiType"}) // results of applications have them
final class ValueRows {

    private ValueRows() {}

    static List<ResultRow> rows() {
        TreeMap<String, Integer> backwards = new TreeMap<>((one, other) -> other.compareTo(one));
        backwards.putAll(Map.of("a", 1, "b", 2));
        return List.of(
                alike("BigDecimal with its scale", "record", new Money(new BigDecimal("1.50"))),
                alike("NaN, infinity, negative zero", "record", new Floats(Double.NaN, Float.NEGATIVE_INFINITY, -0d)),
                alike("bytes, arrays", "record", new Arrays3(new byte[] {0, -1}, new int[] {1}, new String[] {"a", null
                })),
                alike("Optional", "record", new Optionals(Optional.of("a"), Optional.empty(), OptionalInt.of(3))),
                alike("java.time", "record", new Times(Instant.ofEpochSecond(1, 1), zoned(), LocalDate.EPOCH)),
                alike("UUID, URI, enum", "record", new Texts(new UUID(1, 2), URI.create("a:b"), DayOfWeek.MONDAY)),
                alike("null", "record", new Times(null, null, null)),
                alike("keys that are no text", "map", Map.of(5, "a", 6, "b"))
                        .declared(new TypeRef<Map<Integer, String>>() {}),
                alike("keys that are dates", "map", Map.of(LocalDate.EPOCH, DayOfWeek.MONDAY))
                        .declared(new TypeRef<Map<LocalDate, DayOfWeek>>() {}),
                alike("order", "set", new LinkedHashSet<>(List.of("c", "a", "b")))
                        .declared(new TypeRef<Set<String>>() {}),
                alike("hash order", "set", new HashSet<>(many())).declared(new TypeRef<Set<String>>() {}),
                alike("hash order", "HashSet", new Hashed(new HashSet<>(many()))),
                alike("enum set", "set", EnumSet.of(DayOfWeek.MONDAY)).declared(new TypeRef<Set<DayOfWeek>>() {}),
                alike("nulls", "list", Arrays.asList("a", null)).declared(new TypeRef<List<String>>() {}),
                alike("view of a list", "list", many().subList(3, 9)).declared(new TypeRef<List<String>>() {}),
                alike("order of its own", "map", backwards).declared(new TypeRef<Map<String, Integer>>() {}),
                alike("Date", "field", new Dated(new Date(1_000_000_000_001L))),
                alike("java.sql.Timestamp of milliseconds", "Date", new Dated(timestamp(1_000_000))),
                notKept("java.sql.Timestamp of nanoseconds", "Date", new Dated(timestamp(1))),
                alike("AtomicLong", "record", new Counted(new AtomicLong(7))),
                alike("sorted map", "record", new Sorted(new TreeMap<>(Map.of("b", 1, "a", 2)))));
    }

    private static ZonedDateTime zoned() {
        return ZonedDateTime.of(2024, 10, 27, 2, 30, 0, 1, ZoneId.of("Europe/Paris"));
    }

    private static Date timestamp(int nanos) {
        java.sql.Timestamp timestamp = new java.sql.Timestamp(1_000_000_000_000L);
        timestamp.setNanos(nanos);
        return timestamp;
    }

    private static List<String> many() {
        return List.of("a", "bb", "ccc", "dddd", "eeeee", "ffffff", "g", "hh", "iii", "jjjj", "kkkkk", "llllll", "m");
    }

    record Money(BigDecimal amount) {}

    record Floats(double wide, float small, double zero) {}

    @SuppressWarnings("ArrayRecordComponent") // compared by what is in them
    record Arrays3(byte[] bytes, int[] numbers, String[] texts) {}

    record Optionals(Optional<String> some, Optional<String> none, OptionalInt number) {}

    record Times(
            @Nullable Instant at,
            @Nullable ZonedDateTime zoned,
            @Nullable LocalDate date) {}

    record Texts(UUID id, URI uri, DayOfWeek day) {}

    record Hashed(HashSet<String> names) {}

    record Dated(Date at) {}

    record Counted(AtomicLong count) {}

    record Sorted(SortedMap<String, Integer> byName) {}
}
