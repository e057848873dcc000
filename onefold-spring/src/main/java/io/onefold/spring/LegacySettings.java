package io.onefold.spring;

import io.onefold.spring.IdempotentMetadata.DeclaredKeyLocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The settings {@code idempotent.*} of all methods with the annotation of {@code io.onefold.spring.legacy}.
 *
 * @param expireTime the lifetime of tokens without their own
 * @param returnCachedResult true if a duplicate gets the first response instead of being rejected; if it waits and the first call fails, it
 *     gets the failure
 * @param waitFor the time for which a duplicate then waits
 */
public record LegacySettings(Duration expireTime, boolean returnCachedResult, Duration waitFor) {
    /** The header that has the token. */
    public static final String HEADER = "Idempotent-Token";

    /** Tokens last 300 seconds, and duplicates are rejected. */
    public static final LegacySettings DEFAULT =
            new LegacySettings(Duration.ofMinutes(5), false, Duration.ofMillis(3 * 100));

    /**
     * @param now returns the current configuration
     * @param scheduled true if the method is a scheduled job, for which no client sends a token
     */
    static IdempotentMetadata declared(
            io.onefold.spring.legacy.Idempotent said,
            UnaryOperator<String> placeholders,
            Supplier<LegacySettings> now,
            boolean scheduled) {
        List<DeclaredKeyLocation> places = new ArrayList<>();
        if (!said.tokenExpression().isEmpty()) {
            places.add(new DeclaredKeyLocation(
                    DeclaredKeyLocation.Kind.EXPRESSION, placeholders.apply(said.tokenExpression())));
        } else if (!scheduled) {
            places.add(new DeclaredKeyLocation(DeclaredKeyLocation.Kind.HEADER, HEADER));
            if (said.allowParam()) {
                places.add(new DeclaredKeyLocation(DeclaredKeyLocation.Kind.PARAMETER, said.paramName()));
            }
        }
        OperationSettings own = OperationSettings.NONE
                .keep(said.expireTime() == 0 ? null : Duration.ofSeconds(said.expireTime()))
                .message(said.message().isBlank() ? null : placeholders.apply(said.message()));
        // every failure may be tried again, as users of this annotation expect
        List<Class<? extends Throwable>> retryOn = List.of(Throwable.class);
        return new IdempotentMetadata(
                "",
                List.copyOf(places),
                null,
                false,
                true,
                "",
                "",
                "",
                TransactionMode.AUTO,
                own,
                () -> now.get().settings(),
                true,
                retryOn,
                List.of());
    }

    private OperationSettings settings() {
        return OperationSettings.NONE
                .keep(expireTime)
                .duplicates(returnCachedResult ? DuplicatePolicy.REPLAY : DuplicatePolicy.REJECT)
                .waitFor(returnCachedResult ? waitFor : null)
                .waitersShareFailure(returnCachedResult ? true : null);
    }
}
