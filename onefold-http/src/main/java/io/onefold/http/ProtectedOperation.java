package io.onefold.http;

import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.TokenStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An operation, and the protection of its requests.
 *
 * @param policy the policy, with every default filled in
 * @param headers the headers that a key may come in
 * @param shared true if it only stands for the operations of handlers that share a path
 */
record ProtectedOperation(
        Operation<StoredResponse> operation, HttpPolicy policy, List<String> headers, boolean shared) {

    static ProtectedOperation of(String name, HttpPolicy policy) {
        // a text is escaped when it is stored, so it may take more room than it has characters
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
        return new ProtectedOperation(operation, yes(policy.tokens) ? sized(policy) : policy, headers, false);
    }

    ProtectedOperation ofHandlers() {
        return new ProtectedOperation(operation, policy, headers, true);
    }

    /** Limits keys to the length of the longest token, so that a longer key is rejected before anything is asked about it. */
    private static HttpPolicy sized(HttpPolicy policy) {
        return policy.syntax(Objects.requireNonNull(policy.syntax).atMost(Key.MAX_TOKEN_LENGTH));
    }

    /** Checks that a request that is still repeated after the lease of a lost owner finds its record. */
    private static void checkKeep(String name, HttpPolicy policy) {
        Duration keep = Objects.requireNonNull(policy.keep);
        Duration lease = policy.lease == null ? Operation.LEASE : policy.lease;
        if (policy.retries != null && keep.compareTo(lease.plus(policy.retries)) < 0) {
            throw new IllegalArgumentException(
                    "operation " + name + ": keep " + keep + " is shorter than lease " + lease + " and retries "
                            + policy.retries + " together; the last retry would be carried out as new");
        }
    }

    private static void checkExceptions(String name, HttpPolicy policy) {
        for (Class<?> type : Objects.requireNonNull(policy.retryable)) {
            if (Objects.requireNonNull(policy.fatal).contains(type)) {
                throw new IllegalArgumentException(
                        "operation " + name + ": retryOn and failOn both name " + type.getName());
            }
        }
    }

    /** Rejects tokens that no client could get, and tokens that could run twice. */
    void check(@Nullable TokenStore tokens) {
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

    ProblemException keyMissing() {
        return new ProblemException(
                Problem.ProblemType.KEY_MISSING,
                "Send a key of your own, the same for each try of one request, as "
                        + sources().stream().map(KeySource::toString).collect(Collectors.joining(" or ")) + ".");
    }

    /** True if a request must have a key. If keys are tokens, a request without one has no right to be carried out. */
    boolean required() {
        return yes(policy.required) || yes(policy.tokens);
    }

    /** True if the handler claims. */
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
