package io.onefold.spring;

import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.http.HttpPolicy;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an operation from one place: its annotation, its configuration, or the configuration of all operations. Immutable; each
 * method returns a changed copy. Null leaves the choice to the place below.
 */
public final class OperationSettings {
    /** Settings that choose nothing. */
    public static final OperationSettings NONE = new OperationSettings();

    private @Nullable Duration keep;
    private @Nullable Duration waitFor;
    private @Nullable Duration lease;
    private @Nullable Duration maxRun;
    private @Nullable Duration refuseLate;
    private @Nullable Integer maxAttempts;
    private @Nullable Integer maxResultBytes;
    private @Nullable DuplicatePolicy duplicates;
    private @Nullable String message;
    private @Nullable Boolean safeToRepeat;
    private @Nullable Boolean repeatOnConflict;
    private @Nullable Boolean waitersShareFailure;
    private @Nullable Boolean overwrite;
    private @Nullable Boolean hashKeys;
    private @Nullable Boolean shadow;

    private OperationSettings() {}

    /** The time for which a finished record responds to duplicates. */
    public OperationSettings keep(@Nullable Duration keep) {
        return with(copy -> copy.keep = keep);
    }

    /** The time for which a duplicate waits for the call in progress. */
    public OperationSettings waitFor(@Nullable Duration waitFor) {
        return with(copy -> copy.waitFor = waitFor);
    }

    public OperationSettings lease(@Nullable Duration lease) {
        return with(copy -> copy.lease = lease);
    }

    public OperationSettings maxRun(@Nullable Duration maxRun) {
        return with(copy -> copy.maxRun = maxRun);
    }

    /**
     * The time after the keep time for which a duplicate is rejected instead of run as new. Zero rejects none, even if the place below says
     * otherwise.
     */
    public OperationSettings refuseLate(@Nullable Duration refuseLate) {
        return with(copy -> copy.refuseLate = refuseLate);
    }

    public OperationSettings maxAttempts(@Nullable Integer maxAttempts) {
        return with(copy -> copy.maxAttempts = maxAttempts);
    }

    public OperationSettings maxResultBytes(@Nullable Integer maxResultBytes) {
        return with(copy -> copy.maxResultBytes = maxResultBytes);
    }

    public OperationSettings duplicates(@Nullable DuplicatePolicy duplicates) {
        return with(copy -> copy.duplicates = duplicates == DuplicatePolicy.AS_CONFIGURED ? null : duplicates);
    }

    /** The message for a duplicate that is rejected, or that comes while the first call is in progress. */
    public OperationSettings message(@Nullable String message) {
        return with(copy -> copy.message = message);
    }

    public OperationSettings safeToRepeat(@Nullable Boolean safe) {
        return with(copy -> copy.safeToRepeat = safe);
    }

    /** Lets a transactional method run again if the database rolls its transaction back in favour of another. */
    public OperationSettings repeatOnConflict(@Nullable Boolean repeated) {
        return with(copy -> copy.repeatOnConflict = repeated);
    }

    /** Passes a failure on to waiting duplicates, instead of letting them run. */
    public OperationSettings waitersShareFailure(@Nullable Boolean shared) {
        return with(copy -> copy.waitersShareFailure = shared);
    }

    public OperationSettings overwrite(@Nullable Boolean overwrite) {
        return with(copy -> copy.overwrite = overwrite);
    }

    public OperationSettings hashKeys(@Nullable Boolean hashed) {
        return with(copy -> copy.hashKeys = hashed);
    }

    /** Only observes: duplicates and conflicts are reported, and nothing is changed. */
    public OperationSettings shadow(@Nullable Boolean shadow) {
        return with(copy -> copy.shadow = shadow);
    }

    /** Returns these settings, completed by the others. */
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

    /** Returns true if it has a setting that only methods can apply. */
    boolean isOfMethods() {
        return maxAttempts != null || maxResultBytes != null || refusesLate() || Boolean.TRUE.equals(overwrite);
    }

    private boolean refusesLate() {
        return refuseLate != null && !refuseLate.isZero();
    }

    /** Returns true if it chooses the response to duplicates. */
    boolean isChosen() {
        return duplicates != null;
    }

    public boolean rejects() {
        return duplicates == DuplicatePolicy.REJECT;
    }

    public boolean isShadow() {
        return Boolean.TRUE.equals(shadow);
    }

    /** Returns the policy of an HTTP route, overridden by these settings. */
    public HttpPolicy policy(HttpPolicy route) {
        return AnnotationPolicy.with(this, route);
    }

    /** Returns the operation with these settings. Contradicting settings are an error that names both. */
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
            // at once, also while the first call is in progress: there is no result to wait for
            operation =
                    operation.rejectDuplicates(message == null ? Outcome.RejectionReason.DUPLICATE.message() : message);
        } else if (waitFor != null) {
            operation = operation.waitFor(waitFor);
        }
        operation = ofMethods(operation);
        operation = Boolean.TRUE.equals(safeToRepeat) ? operation.safeToRepeat() : operation;
        operation = Boolean.TRUE.equals(waitersShareFailure) ? operation.waitersShareFailure() : operation;
        return Boolean.TRUE.equals(hashKeys) ? operation.hashKeys() : operation;
    }

    /** Returns the operation with the settings that only methods can apply. */
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
