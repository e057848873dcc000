package io.onefold.http.contract;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as it reached the test service.
 *
 * @param path as it was sent: not decoded, and without the query
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ServiceRequest(
        String method, String path, @Nullable String query, List<HeaderLine> headers, byte[] body) {

    /** The first line of this name, in any case; null if there is none. */
    public @Nullable String header(String name) {
        return headers.stream()
                .filter(line -> line.name().equalsIgnoreCase(name))
                .map(HeaderLine::value)
                .findFirst()
                .orElse(null);
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
