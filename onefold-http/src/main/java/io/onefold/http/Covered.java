package io.onefold.http;

import io.onefold.Operation;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation, and how its requests are protected.
 *
 * @param policy with every choice made that has a default
 */
record Covered(Operation<StoredResponse> operation, Policy policy) {

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
        if (yes(policy.hashKeys)) {
            operation = operation.hashKeys();
        }
        return new Covered(operation, policy);
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

    boolean required() {
        return yes(policy.required);
    }

    static boolean yes(@Nullable Boolean choice) {
        return Boolean.TRUE.equals(choice);
    }
}
