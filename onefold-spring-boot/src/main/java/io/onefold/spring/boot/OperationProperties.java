package io.onefold.spring.boot;

import io.onefold.spring.DuplicatePolicy;
import io.onefold.spring.OperationSettings;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How an operation behaves, where its annotation says nothing.
 *
 * <p>Its prefix is for editors alone: what is in a map is described under that name, which is bound with all of {@code onefold}.
 *
 * @param keep How long a finished record answers duplicates; 24h unless chosen.
 * @param waitFor How long a duplicate waits for the call that is under way; unless chosen, 0s for jobs, else 2s.
 * @param lease How long a silent owner is presumed alive; 30s unless chosen.
 * @param maxRun How long the lease is renewed at most; 10m unless chosen.
 * @param refuseLate How much longer than the keep a duplicate is refused instead of run as new; not at all unless chosen, nor if 0.
 * @param maxAttempts How often a request may be tried.
 * @param maxResultBytes How large a result may be to be kept; 256 KiB unless chosen.
 * @param duplicates What a duplicate of a finished call gets: the first answer, or a refusal.
 * @param message What a duplicate is told that is refused, or that comes while the first is under way.
 * @param safeToRepeat Whether running it twice does no harm: a lost attempt is repeated instead of becoming unknown.
 * @param repeatOnConflict Whether a joined method may run again within one call, when the database gives its transaction up for another.
 * @param waitersShareFailure Whether a duplicate that waits for a call which fails hears of the failure, instead of running.
 * @param overwrite Whether a changed payload under the same key runs and overwrites the result.
 * @param hashKeys Whether the store sees only the hash of keys.
 * @param shadow Whether calls are only observed.
 */
@ConfigurationProperties("onefold.operations[name]")
record OperationProperties(
        @Nullable Duration keep,
        @Nullable Duration waitFor,
        @Nullable Duration lease,
        @Nullable Duration maxRun,
        @Nullable Duration refuseLate,
        @Nullable Integer maxAttempts,
        @Nullable Integer maxResultBytes,
        @Nullable DuplicatePolicy duplicates,
        @Nullable String message,
        @Nullable Boolean safeToRepeat,
        @Nullable Boolean repeatOnConflict,
        @Nullable Boolean waitersShareFailure,
        @Nullable Boolean overwrite,
        @Nullable Boolean hashKeys,
        @Nullable Boolean shadow) {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** By short names: whose they are, the binder says. */
    OperationProperties {
        PropertyLimits.atLeast("keep", SHORTEST, keep);
        PropertyLimits.atLeast("wait-for", Duration.ZERO, waitFor);
        PropertyLimits.atLeast("lease", SHORTEST, lease);
        PropertyLimits.atLeast("max-run", SHORTEST, maxRun);
        PropertyLimits.atLeast("refuse-late", Duration.ZERO, refuseLate);
        PropertyLimits.atLeast("max-attempts", 1, maxAttempts);
        PropertyLimits.atLeast("max-result-bytes", 0, maxResultBytes);
    }

    OperationSettings settings() {
        return OperationSettings.NONE
                .keep(keep)
                .waitFor(waitFor)
                .lease(lease)
                .maxRun(maxRun)
                .refuseLate(refuseLate)
                .maxAttempts(maxAttempts)
                .maxResultBytes(maxResultBytes)
                .duplicates(duplicates)
                .message(message)
                .safeToRepeat(safeToRepeat)
                .repeatOnConflict(repeatOnConflict)
                .waitersShareFailure(waitersShareFailure)
                .overwrite(overwrite)
                .hashKeys(hashKeys)
                .shadow(shadow);
    }

    /** What is chosen here and means nothing to requests without an annotated handler. */
    Set<String> onlyOfMethods() {
        Set<String> chosen = new TreeSet<>();
        if (refuseLate != null && !refuseLate.isZero()) {
            chosen.add("refuse-late");
        }
        if (maxAttempts != null) {
            chosen.add("max-attempts");
        }
        if (maxResultBytes != null) {
            chosen.add("max-result-bytes");
        }
        if (Boolean.TRUE.equals(overwrite)) {
            chosen.add("overwrite");
        }
        if (Boolean.TRUE.equals(repeatOnConflict)) {
            chosen.add("repeat-on-conflict");
        }
        return chosen;
    }
}
