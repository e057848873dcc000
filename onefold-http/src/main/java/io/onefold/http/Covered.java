package io.onefold.http;

import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Tokens;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An operation, and how its requests are protected.
 *
 * @param policy with every choice made that has a default
 * @param headers those that a key may stand in
 * @param shared whether it only stands for the operations of handlers that share a path
 */
record Covered(Operation<StoredResponse> operation, Policy policy, List<String> headers, boolean shared) {

    static Covered of(String name, Policy policy) {
        // a text is escaped where it is stored, so that it may take more than it has
        int room = 2 * Objects.requireNonNull(policy.maxHeld) + (64 << 10);
        Operation<StoredResponse> operation = Operation.of(name, StoredResponse.class)
                .keepFor(Objects.requireNonNull(policy.keep))
                .maxResultBytes(room);
        if (policy.lease != null && policy.maxRun != null) {
            operation = operation.lease(policy.lease, policy.maxRun);
        }
        if (policy.rejection != null && !policy.rejection.isEmpty()) {
            operation = operation.rejectDuplicates(policy.rejection);
        } else if (policy.wait != null) {
            operation = operation.waitFor(policy.wait);
        }
        if (yes(policy.safeToRepeat)) {
            operation = operation.safeToRepeat();
        }
        if (yes(policy.waitersShareFailure)) {
            operation = operation.waitersShareFailure();
        }
        if (yes(policy.hashKeys)) {
            operation = operation.hashKeys();
        }
        if (yes(policy.tokens) && policy.contentWindow != null) {
            throw new IllegalArgumentException("operation " + name + ": tokens and contentKey " + policy.contentWindow
                    + " are both chosen; a request without a token would be carried out all the same");
        }
        checkKeep(name, policy);
        checkExceptions(name, policy);
        List<String> headers = Objects.requireNonNull(policy.sources).stream()
                .map(KeySource::headerName)
                .filter(Objects::nonNull)
                .toList();
        return new Covered(operation, yes(policy.tokens) ? sized(policy) : policy, headers, false);
    }

    Covered ofHandlers() {
        return new Covered(operation, policy, headers, true);
    }

    /** What is longer than any token is no key, before anybody is asked for it. */
    private static Policy sized(Policy policy) {
        return policy.syntax(Objects.requireNonNull(policy.syntax).atMost(Key.MAX_TOKEN_LENGTH));
    }

    /** A request that is repeated to the last, after an owner that was lost at the end of its lease, must still find its record. */
    private static void checkKeep(String name, Policy policy) {
        Duration keep = Objects.requireNonNull(policy.keep);
        Duration lease = policy.lease == null ? Operation.LEASE : policy.lease;
        if (policy.retries != null && keep.compareTo(lease.plus(policy.retries)) < 0) {
            throw new IllegalArgumentException(
                    "operation " + name + ": keep " + keep + " is shorter than lease " + lease + " and retries "
                            + policy.retries + " together; the last retry would be carried out as new");
        }
    }

    private static void checkExceptions(String name, Policy policy) {
        for (Class<?> type : Objects.requireNonNull(policy.retryable)) {
            if (Objects.requireNonNull(policy.fatal).contains(type)) {
                throw new IllegalArgumentException(
                        "operation " + name + ": retryOn and failOn both name " + type.getName());
            }
        }
    }

    /** Refuses tokens that nobody can get, and those that could run twice. */
    void check(@Nullable Tokens tokens) {
        if (!yes(policy.tokens)) {
            return;
        }
        if (tokens == null) {
            throw new IllegalArgumentException(operation + " needs tokens, but the contract has none");
        }
        Duration keep = Objects.requireNonNull(policy.keep);
        if (keep.compareTo(tokens.life()) < 0) {
            throw new IllegalArgumentException(operation + " keeps records for " + keep + ", but tokens live "
                    + tokens.life() + ": a token could run twice");
        }
    }

    List<KeySource> sources() {
        return Objects.requireNonNull(policy.sources);
    }

    KeySyntax syntax() {
        return Objects.requireNonNull(policy.syntax);
    }

    BodyRules body() {
        return Objects.requireNonNull(policy.body);
    }

    RejectedException keyMissing() {
        return new RejectedException(
                Problem.Type.KEY_MISSING,
                "Send a key of your own, the same for each try of one request, as "
                        + sources().stream().map(KeySource::toString).collect(Collectors.joining(" or ")) + ".");
    }

    /** Where keys are tokens, a request without one has no right to be carried out. */
    boolean required() {
        return yes(policy.required) || yes(policy.tokens);
    }

    /** Whether the handler claims. */
    boolean late() {
        return yes(policy.late);
    }

    boolean shadow() {
        return yes(policy.shadow);
    }

    static boolean yes(@Nullable Boolean choice) {
        return Boolean.TRUE.equals(choice);
    }
}
