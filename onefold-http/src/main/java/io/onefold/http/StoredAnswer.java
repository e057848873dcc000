package io.onefold.http;

import org.jspecify.annotations.Nullable;

/**
 * The end of a request that its handler has claimed, as it is kept: the value that the handler returned, or the response that was made of
 * it. The value stands for the response until that is rendered, and wherever somebody has settled the request by naming a value.
 *
 * @param value null if the response is known
 * @param response null if it is not known, or not yet
 */
public record StoredAnswer<T>(@Nullable T value, @Nullable StoredResponse response) {
    /** Enough for a response of the usual limit, some of whose characters take more room where they are stored. */
    public static final int MAX_BYTES = 2 * (256 << 10) + (64 << 10);

    public static <T> StoredAnswer<T> of(@Nullable T value) {
        return new StoredAnswer<>(value, null);
    }

    static <T> StoredAnswer<T> rendered(StoredResponse response) {
        return new StoredAnswer<>(null, response);
    }
}
