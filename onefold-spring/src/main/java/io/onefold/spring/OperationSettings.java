package io.onefold.spring;

import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.http.Policy;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is chosen for an operation in one place: its annotation, its configuration, or that of all operations. Immutable; each method
 * returns a changed copy, and null leaves the choice to the place below.
 */
public final class OperationSettings {
    /** Nothing is chosen. */
    public static final OperationSettings NONE = new OperationSettings();

    private @Nullable Duration keep;
    private @Nullable Duration waitFor;
    private @Nullable Duration lease;
    private @Nullable Duration maxRun;
    private @Nullable Duration refuseLate;
    private @Nullable Integer maxAttempts;
    private @Nullable Integer maxResultBytes;
    private @Nullable Duplicates duplicates;
    private @Nullable String message;
    private @Nullable Boolean safeToRepeat;
    private @Nullable Boolean repeatOnConflict;
    private @Nullable Boolean waitersShareFailure;
    private @Nullable Boolean overwrite;
    private @Nullable Boolean hashKeys;
    private @Nullable Boolean shadow;

    private OperationSettings() {}

    /** How long a finished record answers duplicates. */
    public OperationSettings keep(@Nullable Duration keep) {
        return with(copy -> copy.keep = keep);
    }

    /** How long a duplicate waits for the call that is under way. */
    public OperationSettings waitFor(@Nullable Duration waitFor) {
        return with(copy -> copy.waitFor = waitFor);
    }

    public OperationSettings lease(@Nullable Duration lease) {
        return with(copy -> copy.lease = lease);
    }

    public OperationSettings maxRun(@Nullable Duration maxRun) {
        return with(copy -> copy.maxRun = maxRun);
    }

    /** How much longer than the keep a duplicate is refused, instead of run as new; zero for not at all, whatever stands below. */
    public OperationSettings refuseLate(@Nullable Duration refuseLate) {
        return with(copy -> copy.refuseLate = refuseLate);
    }

    public OperationSettings maxAttempts(@Nullable Integer maxAttempts) {
        return with(copy -> copy.maxAttempts = maxAttempts);
    }

    public OperationSettings maxResultBytes(@Nullable Integer maxResultBytes) {
        return with(copy -> copy.maxResultBytes = maxResultBytes);
    }

    public OperationSettings duplicates(@Nullable Duplicates duplicates) {
        return with(copy -> copy.duplicates = duplicates == Duplicates.AS_CONFIGURED ? null : duplicates);
    }

    /** What a duplicate is told that is refused, or that comes while the first is under way. */
    public OperationSettings message(@Nullable String message) {
        return with(copy -> copy.message = message);
    }

    public OperationSettings safeToRepeat(@Nullable Boolean safe) {
        return with(copy -> copy.safeToRepeat = safe);
    }

    /** Whether a joined method may run again when the database gives its transaction up for another. */
    public OperationSettings repeatOnConflict(@Nullable Boolean repeated) {
        return with(copy -> copy.repeatOnConflict = repeated);
    }

    /** Whether a duplicate that waits for a call which fails hears of the failure, instead of running. */
    public OperationSettings waitersShareFailure(@Nullable Boolean shared) {
        return with(copy -> copy.waitersShareFailure = shared);
    }

    public OperationSettings overwrite(@Nullable Boolean overwrite) {
        return with(copy -> copy.overwrite = overwrite);
    }

    public OperationSettings hashKeys(@Nullable Boolean hashed) {
        return with(copy -> copy.hashKeys = hashed);
    }

    /** Observes only: duplicates and conflicts are reported, and nothing is changed. */
    public OperationSettings shadow(@Nullable Boolean shadow) {
        return with(copy -> copy.shadow = shadow);
    }

    /** These settings, and the others where these choose nothing. */
    public OperationSettings over(OperationSettings below) {
        OperationSettings both = new OperationSettings();
        both.keep = either(keep, below.keep);
        both.waitFor = either(waitFor, below.waitFor);
        both.lease = either(lease, below.lease);
        both.maxRun = either(maxRun, below.maxRun);
        both.refuseLate = either(refuseLate, below.refuseLate);
        both.maxAttempts = either(maxAttempts, below.maxAttempts);
        both.maxResultBytes = either(maxResultBytes, below.maxResultBytes);
        both.duplicates = either(duplicates, below.duplicates);
        both.message = either(message, below.message);
        both.safeToRepeat = either(safeToRepeat, below.safeToRepeat);
        both.repeatOnConflict = either(repeatOnConflict, below.repeatOnConflict);
        both.waitersShareFailure = either(waitersShareFailure, below.waitersShareFailure);
        both.overwrite = either(overwrite, below.overwrite);
        both.hashKeys = either(hashKeys, below.hashKeys);
        both.shadow = either(shadow, below.shadow);
        return both;
    }

    public @Nullable Duration keep() {
        return keep;
    }

    public @Nullable Duration waitFor() {
        return waitFor;
    }

    public @Nullable Duration lease() {
        return lease;
    }

    public @Nullable Duration maxRun() {
        return maxRun;
    }

    @Nullable
    Duration refuseLate() {
        return refuseLate;
    }

    public @Nullable String message() {
        return message;
    }

    public @Nullable Boolean safeToRepeat() {
        return safeToRepeat;
    }

    @Nullable
    Boolean waitersShareFailure() {
        return waitersShareFailure;
    }

    public @Nullable Boolean hashKeys() {
        return hashKeys;
    }

    @Nullable
    Boolean shadow() {
        return shadow;
    }

    /** Whether it says something that only methods can heed. */
    boolean isOfMethods() {
        return maxAttempts != null || maxResultBytes != null || refusesLate() || Boolean.TRUE.equals(overwrite);
    }

    private boolean refusesLate() {
        return refuseLate != null && !refuseLate.isZero();
    }

    /** Whether it was chosen what duplicates get. */
    boolean isChosen() {
        return duplicates != null;
    }

    public boolean rejects() {
        return duplicates == Duplicates.REJECT;
    }

    public boolean isShadow() {
        return Boolean.TRUE.equals(shadow);
    }

    /** The policy of an HTTP route, and what these settings choose over it. */
    public Policy policy(Policy route) {
        return FilterPolicy.with(this, route);
    }

    /** The operation with these settings; where they contradict each other, an error that names both. */
    <T> Operation<T> applied(Operation<T> plain) {
        Operation<T> operation = plain;
        if (maxRun != null) {
            operation = operation.maxRun(maxRun);
        }
        if (lease != null) {
            operation = operation.lease(lease);
        }
        operation = keep == null ? operation : operation.keepFor(keep);
        if (rejects()) {
            // at once, also while the first is under way: there is nothing to wait for
            operation = operation.rejectDuplicates(message == null ? Outcome.Reason.DUPLICATE.message() : message);
        } else if (waitFor != null) {
            operation = operation.waitFor(waitFor);
        }
        operation = ofMethods(operation);
        operation = Boolean.TRUE.equals(safeToRepeat) ? operation.safeToRepeat() : operation;
        operation = Boolean.TRUE.equals(waitersShareFailure) ? operation.waitersShareFailure() : operation;
        return Boolean.TRUE.equals(hashKeys) ? operation.hashKeys() : operation;
    }

    /** The operation with those settings that only methods can heed. */
    <T> Operation<T> ofMethods(Operation<T> plain) {
        Operation<T> operation = plain;
        if (refuseLate != null && refusesLate()) {
            operation = operation.refuseLateDuplicates(refuseLate);
        }
        operation = maxAttempts == null ? operation : operation.maxAttempts(maxAttempts);
        operation = maxResultBytes == null ? operation : operation.maxResultBytes(maxResultBytes);
        operation = Boolean.TRUE.equals(repeatOnConflict) ? operation.repeatOnConflict() : operation;
        return Boolean.TRUE.equals(overwrite) ? operation.overwrite() : operation;
    }

    private static <V> @Nullable V either(@Nullable V first, @Nullable V second) {
        return first == null ? second : first;
    }

    private OperationSettings with(Consumer<OperationSettings> edit) {
        OperationSettings copy = over(new OperationSettings());
        edit.accept(copy);
        return copy;
    }
}
