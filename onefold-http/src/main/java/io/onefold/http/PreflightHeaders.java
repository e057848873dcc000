package io.onefold.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an application to a preflight, as a door sees it pass: wherever an origin is allowed at all, it may send a key as well.
 * A door asks for each header that it passes on.
 */
public final class PreflightHeaders {
    /** The header that lists the headers a script may send. */
    public static final String ALLOW_HEADERS = "Access-Control-Allow-Headers";

    /** The header that says if a script may send anything at all. */
    public static final String ALLOW_ORIGIN = CorsHeaders.ALLOW_ORIGIN;

    private final List<String> keys;

    PreflightHeaders(List<String> keys) {
        this.keys = keys;
    }

    /**
     * Returns the list of allowed headers for the response.
     *
     * @param said the list that the service has set; null for none
     */
    public String allowing(@Nullable String said) {
        return CorsHeaders.listed(said == null ? "" : said, keys);
    }
}
