package io.onefold.http.servlet;

import io.onefold.http.HeaderField;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Holds headers of an application that must not be in the container's response yet, or ever. */
final class DeferredHeaders {
    /** Goes out with the answer: it means nothing without an origin, and who names that decides on both. */
    private static final String CREDENTIALS = "Access-Control-Allow-Credentials";

    private final Predicate<String> isOurs;
    private final List<HeaderField> internal = new ArrayList<>(0);
    private @Nullable String credentials;
    private long length = -1;

    /** @param isOurs which headers are said to the filter, and to no client */
    DeferredHeaders(Predicate<String> isOurs) {
        this.isOurs = isOurs;
    }

    /**
     * Takes a header and returns true if it is one for the filter alone, the header for credentials, or the length,
     * which the filter sets.
     */
    boolean takes(String name, @Nullable String value) {
        if (isOurs.test(name)) {
            if (value != null) {
                internal.add(new HeaderField(name, value));
            }
            return true;
        }
        if (name.equalsIgnoreCase(CREDENTIALS)) {
            credentials = value;
            return true;
        }
        if (name.equalsIgnoreCase("Content-Length")) {
            length = value == null ? -1 : Long.parseLong(value.strip());
            return true;
        }
        return false;
    }

    void length(long bytes) {
        length = bytes;
    }

    /** Returns the headers that are for the filter alone. */
    List<HeaderField> internal() {
        return internal;
    }

    /** Adds the headers that the container does not have yet. */
    void addTo(List<HeaderField> answer) {
        if (credentials != null) {
            answer.add(new HeaderField(CREDENTIALS, credentials));
        }
    }

    /**
     * The answer goes out as it comes.
     *
     * @param chunks whether the client takes chunks. An answer of unknown length must be sent in chunks, also on a connection that is closed
     *     after it: Jetty would end such an answer by closing the connection, and a cut one would pass for whole. Trailers, even if there
     *     are none in the end, oblige every container to send chunks.
     */
    void tell(HttpServletResponse container, boolean chunks) {
        if (credentials != null) {
            container.setHeader(CREDENTIALS, credentials);
        }
        if (length >= 0) {
            container.setContentLengthLong(length);
        } else if (chunks && !container.isCommitted() && container.getTrailerFields() == null) {
            container.setTrailerFields(Map::of);
        }
    }

    void reset() {
        credentials = null;
        internal.clear();
    }
}
