package io.onefold.server.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as people write them. */
final class UnitParser {
    static final String DURATIONS = "a duration such as 500ms, 30s, 10m, 24h or 7d";
    static final String SIZES = "a size such as 512B, 64KiB or 10MiB";

    private static final Duration LONGEST = Duration.ofDays(3_660);
    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("(\\d{1,12})\\s*([A-Za-z]*)");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final Map<String, Long> BYTES = Map.of(
            "b",
            1L,
            "kb",
            1_000L,
            "mb",
            1_000_000L,
            "gb",
            1_000_000_000L,
            "kib",
            1L << 10,
            "mib",
            1L << 20,
            "gib",
            1L << 30);

    private UnitParser() {}

    static Duration duration(String text) {
        Duration duration = Duration.ofMillis(amount(text, MILLIS, DURATIONS));
        if (duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("\"" + text + "\" is longer than " + LONGEST.toDays() + "d");
        }
        return duration;
    }

    static long bytes(String text) {
        return amount(text, BYTES, SIZES);
    }

    private static long amount(String text, Map<String, Long> units, String allowed) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.trim());
        if (matcher.matches()) {
            long number = Long.parseLong(matcher.group(1));
            Long unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
            // zero needs no unit
            if (unit != null || (number == 0 && matcher.group(2).isEmpty())) {
                return Math.multiplyExact(number, unit == null ? 1 : unit);
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is not " + allowed);
    }
}
