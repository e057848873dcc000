package io.onefold;

import io.onefold.store.RetentionPeriod;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The policies of an operation with their defaults. Written only while an {@link Operation} is made. */
final class OperationPolicy {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    Duration keep = RetentionPresets.DEFAULT;
    Duration tombstone = Duration.ZERO;

    @Nullable
    Duration wait;

    Duration lease = Operation.LEASE;
    Duration maxRun = Operation.MAX_RUN;
    int maxAttempts = Integer.MAX_VALUE;
    int maxResultBytes = 256 * 1024;

    @Nullable
    String rejection;

    boolean overwrite;
    boolean amendable;
    boolean safeToRepeat;
    boolean repeatOnConflict;
    boolean hashKeys;
    boolean waitersShareFailure;
    List<Class<? extends Throwable>> retryable = List.of();
    List<Class<? extends Throwable>> fatal = List.of();
    Function<Throwable, @Nullable String> failureData = failure -> null;

    OperationPolicy() {}

    OperationPolicy(OperationPolicy from) {
        keep = from.keep;
        tombstone = from.tombstone;
        wait = from.wait;
        lease = from.lease;
        maxRun = from.maxRun;
        maxAttempts = from.maxAttempts;
        maxResultBytes = from.maxResultBytes;
        rejection = from.rejection;
        overwrite = from.overwrite;
        amendable = from.amendable;
        safeToRepeat = from.safeToRepeat;
        repeatOnConflict = from.repeatOnConflict;
        hashKeys = from.hashKeys;
        waitersShareFailure = from.waitersShareFailure;
        retryable = from.retryable;
        fatal = from.fatal;
        failureData = from.failureData;
    }

    /** Returns true if a finished record may change before its keep is over. */
    boolean changes() {
        return overwrite || amendable;
    }

    /**
     * Returns true if waiters are told of a failure. They are not told with {@code overwrite}, because a waiter may
     * have another payload than the attempt that it waits for.
     */
    boolean sharesFailure() {
        return waitersShareFailure && !overwrite;
    }

    /**
     * Returns how long a duplicate waits: the chosen time, or two seconds, or less if there cannot be anything to wait
     * for that long.
     */
    Duration patience() {
        if (wait != null || rejection != null) {
            return wait == null ? Duration.ZERO : wait;
        }
        Duration longest = keep.compareTo(maxRun) < 0 ? keep : maxRun;
        return longest.compareTo(PATIENCE) < 0 ? longest : PATIENCE;
    }

    RetentionPeriod keep(@Nullable Duration window) {
        return new RetentionPeriod(window == null ? keep : window, tombstone);
    }

    /** Returns true if an attempt that is lost, or whose outcome is unknown, may simply be followed by another. */
    boolean repeats(int attempts) {
        return safeToRepeat && attempts < maxAttempts;
    }

    /** A failure that the policy names; the most derived class that is named decides. */
    boolean retryable(Throwable failure) {
        return depth(retryable, failure) > depth(fatal, failure);
    }

    /** The work's own word that nothing happened is no failure for good, whatever is named. */
    boolean fatal(Throwable failure) {
        return !(failure instanceof NotExecutedException) && depth(fatal, failure) > depth(retryable, failure);
    }

    private static int depth(List<Class<? extends Throwable>> named, Throwable failure) {
        int depth = 0;
        for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
            if (named.contains(type)) {
                return Integer.MAX_VALUE - depth;
            }
            depth++;
        }
        return -1;
    }

    /** Refuses what contradicts itself, naming both values. */
    void check(String operation) {
        refuse(
                lease.compareTo(maxRun) > 0,
                operation,
                "lease " + lease + " is longer than maxRun " + maxRun + "; lease(lease, maxRun) sets both");
        refuse(patience().compareTo(maxRun) > 0, operation, "waitFor " + wait + " is longer than maxRun " + maxRun);
        refuse(patience().compareTo(keep) > 0, operation, "waitFor " + wait + " is longer than keepFor " + keep);
        refuse(
                rejection != null && !patience().isZero(),
                operation,
                "rejectDuplicates leaves nothing to wait for, but waitFor is " + wait);
        refuse(
                overwrite && !tombstone.isZero(),
                operation,
                "overwrite runs a new payload, but refuseLateDuplicates " + tombstone + " would refuse it");
        refuse(
                overwrite && rejection != null,
                operation,
                "overwrite accepts a second payload, but rejectDuplicates(\"" + rejection + "\") refuses it");
        refuse(
                maxAttempts == 1 && !retryable.isEmpty(),
                operation,
                "retryOn " + retryable + " asks for a second attempt, but maxAttempts is 1");
        refuse(
                maxAttempts == 1 && safeToRepeat,
                operation,
                "safeToRepeat asks for a second attempt, but maxAttempts is 1");
        for (Class<?> type : retryable) {
            refuse(fatal.contains(type), operation, "retryOn and failOn both name " + type.getName());
        }
    }

    static Duration positive(String what, Duration duration) {
        // stores count in microseconds; a century of them fits every column
        if (duration.compareTo(Duration.ofMillis(1)) < 0 || duration.compareTo(Duration.ofDays(36_500)) > 0) {
            throw new IllegalArgumentException(what + " must be between 1 ms and 100 years, not " + duration);
        }
        return duration;
    }

    private static void refuse(boolean contradiction, String operation, String why) {
        if (contradiction) {
            throw new IllegalArgumentException("operation " + operation + ": " + why);
        }
    }
}
