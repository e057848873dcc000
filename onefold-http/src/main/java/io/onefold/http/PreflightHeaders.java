package io.onefold.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an application to a preflight, as a door sees it pass: wherever an origin is allowed at all, it may send a key as well.
 * A door asks for each header that it passes on.
 */
public final class PreflightHeaders {
    /** Which headers a script may send. */
    public static final String ALLOW_HEADERS = "Access-Control-Allow-Headers";

    /** Whether a script may send anything at all. */
    public static final String ALLOW_ORIGIN = CorsHeaders.ALLOW_ORIGIN;

    private final List<String> keys;

    PreflightHeaders(List<String> keys) {
        this.keys = keys;
    }

    /**
     * What to say of the headers that are allowed.
     *
     * @param said by the application; null for nothing
     */
    public String allowing(@Nullable String said) {
        return CorsHeaders.listed(said == null ? "" : said, keys);
    }
}
