package io.onefold.http;

import org.jspecify.annotations.Nullable;

/**
 * Whose request it is: keys of one caller mean nothing to another.
 *
 * @param tenant null where there is one only
 * @param principal null for all who are not told apart
 */
public record Caller(@Nullable String tenant, @Nullable String principal) {
    /** Everybody: who knows a key gets its answer. */
    public static final Caller ANONYMOUS = new Caller(null, null);

    public static Caller of(String principal) {
        return new Caller(null, principal);
    }
}
