package io.onefold.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Dates as HTTP writes them. */
final class HttpDate {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

    private HttpDate() {}

    static String of(Instant instant) {
        return FORMAT.format(instant.atOffset(ZoneOffset.UTC));
    }

    /** Null if it is none. */
    static @Nullable Instant parse(String text) {
        try {
            return Instant.from(FORMAT.withZone(ZoneOffset.UTC).parse(text));
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
