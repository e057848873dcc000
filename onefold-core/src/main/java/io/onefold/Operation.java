package io.onefold;

import io.onefold.store.RecordId;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An operation that is safe to repeat, declared once as a constant: its name, the type of its result, and what is to happen to
 * duplicates, failures and lost owners. Immutable; each method returns a changed copy, and refuses what cannot be.
 *
 * <pre>{@code
 * static final Operation<Receipt> CHARGE = Operation.of("charge", Receipt.class).keepFor(RetentionPresets.PAYMENT);
 * }</pre>
 *
 * @param <T> the result
 */
public final class Operation<T> {
    /** The default time for which a silent owner is presumed alive. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    /** The default time for which a lease is renewed at most. */
    public static final Duration MAX_RUN = Duration.ofMinutes(10);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/{} -]{0,99}");

    private final String name;
    private final Type type;
    private final OperationPolicy settings;

    private Operation(String name, Type type, OperationPolicy settings) {
        this.name = name;
        this.type = type;
        this.settings = settings;
    }

    public static <T> Operation<T> of(String name, Class<T> type) {
        return named(name, type);
    }

    public static <T> Operation<T> of(String name, TypeRef<T> type) {
        return named(name, type.type());
    }

    /** An operation without a result. */
    public static Operation<Void> of(String name) {
        return named(name, Void.class);
    }

    private static <T> Operation<T> named(String name, Type type) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "operation name \"" + name
                            + "\" must start with a letter or digit and have at most 100 of A-Z a-z 0-9 . _ : / { } - and space");
        }
        if (ShadowObserver.isName(name)) {
            throw new IllegalArgumentException(
                    "operation name \"" + name + "\" is taken: records under it only say what was observed in shadow");
        }
        if (RecordId.isReserved(name)) {
            throw new IllegalArgumentException("operation name \"" + name
                    + "\" is taken: names that begin with \"onefold.\" are those of locks and maintenance");
        }
        return new Operation<>(name, Objects.requireNonNull(type, "type"), new OperationPolicy());
    }

    /** The same operation, with another result. */
    public <R> Operation<R> returning(TypeRef<R> result) {
        return new Operation<>(name, result.type(), settings);
    }

    /** Sets how long a finished record answers duplicates, counted from its completion. */
    public Operation<T> keepFor(Duration keep) {
        return with(s -> s.keep = OperationPolicy.positive("keepFor", keep));
    }

    /** Refuse duplicates with this message, while the first is at work and after it, instead of replaying the result to them. */
    public Operation<T> rejectDuplicates(String message) {
        return with(s -> s.rejection = Objects.requireNonNull(message, "message"));
    }

    /**
     * Sets how long a duplicate waits for an execution that is in progress. With zero it is answered at once that the
     * execution is in progress.
     */
    public Operation<T> waitFor(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("waitFor must not be negative: " + wait);
        }
        return with(s -> s.wait = wait);
    }

    /**
     * Tells a call that waits for another one that this one has failed: the waiter gets {@link Outcome.AttemptFailed}. Otherwise it would run the
     * work itself as soon as the failure has freed the key. So duplicates that came together fail together, and not one after the other. A call
     * that comes later runs. A call with another payload hears nothing of the failure. A joined call counts its failure after the rollback: a
     * waiter in another process that looks in between runs. Has no effect on operations that {@link #overwrite()}.
     */
    public Operation<T> waitersShareFailure() {
        return with(s -> s.waitersShareFailure = true);
    }

    /**
     * Let a changed payload under the same key run and overwrite the result, instead of refusing it. If nothing was carried out, the
     * earlier result answers again.
     */
    public Operation<T> overwrite() {
        return with(s -> s.overwrite = true);
    }

    /** Failures of these types had no effect, so that the same request may be tried again. */
    @SafeVarargs
    public final Operation<T> retryOn(Class<? extends Throwable>... types) {
        return with(s -> s.retryable = plus(s.retryable, types));
    }

    /** Failures of these types are the answer: they are kept and told to every duplicate. */
    @SafeVarargs
    public final Operation<T> failOn(Class<? extends Throwable>... types) {
        return with(s -> s.fatal = plus(s.fatal, types));
    }

    /**
     * Sets the data to keep of a final failure beside its type and message, for duplicates that are answered with it: a
     * code, for example, or JSON.
     */
    public Operation<T> failureData(Function<Throwable, @Nullable String> data) {
        return with(s -> s.failureData = data);
    }

    /**
     * Sets how often the work may be begun for one request before its failure is final. Attempts to overwrite that have
     * no effect do not add up: each leaves the record as it was.
     */
    public Operation<T> maxAttempts(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("maxAttempts must be at least 1, not " + attempts);
        }
        return with(s -> s.maxAttempts = attempts);
    }

    /**
     * Running the work twice does no harm, because whoever it calls knows the repetition: an attempt that was lost or failed is
     * run again instead of becoming unknown.
     */
    public Operation<T> safeToRepeat() {
        return with(s -> s.safeToRepeat = true);
    }

    /**
     * Joined work may run more than once within one call: when the database gives its transaction up for another, which left nothing of
     * it there. For work that does nothing outside of the database, and that keeps and is given nothing of a transaction that was rolled
     * back, entities of a session say. A lock that was waited for in vain is no reason to run it again. Without it, such a call ends in a {@link io.onefold.store.ConflictingTransactionException}.
     */
    public Operation<T> repeatOnConflict() {
        return with(s -> s.repeatOnConflict = true);
    }

    /**
     * A joined result may be replaced by {@link Onefold#amend} after it was recorded. Until then it stands in no cache tier, so that nobody is
     * told what was replaced.
     */
    public Operation<T> amendable() {
        return with(s -> s.amendable = true);
    }

    /** Sets how long a silent owner is presumed alive. The owner renews its lease after every third of this time. */
    public Operation<T> lease(Duration lease) {
        return lease(lease, settings.maxRun);
    }

    /** The lease, and how long it is renewed at most: work that takes longer becomes unknown. */
    public Operation<T> lease(Duration lease, Duration maxRun) {
        return with(s -> {
            s.lease = OperationPolicy.positive("lease", lease);
            s.maxRun = OperationPolicy.positive("maxRun", maxRun);
        });
    }

    /** Sets how long the lease is renewed at most. */
    public Operation<T> maxRun(Duration maxRun) {
        return lease(settings.lease.compareTo(maxRun) > 0 ? maxRun : settings.lease, maxRun);
    }

    /** Refuse a duplicate that comes after the keep is over, for this much longer, instead of running it as new. */
    public Operation<T> refuseLateDuplicates(Duration tombstone) {
        return with(s -> s.tombstone = OperationPolicy.positive("refuseLateDuplicates", tombstone));
    }

    /** Let the store see only the hash of keys, for keys that are personal data. */
    public Operation<T> hashKeys() {
        return with(s -> s.hashKeys = true);
    }

    /**
     * Results above this size are not kept: duplicates hear that it was done, without the value. With 0 none is kept, and they may be of
     * any type.
     */
    public Operation<T> maxResultBytes(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("maxResultBytes must not be negative: " + bytes);
        }
        return with(s -> s.maxResultBytes = bytes);
    }

    public String name() {
        return name;
    }

    /** Returns true if the work is safe to repeat and may be repeated after this many attempts. */
    public boolean repeats(int attempts) {
        return settings.repeats(attempts);
    }

    /** By what its calls are observed; see {@link ShadowObserver}. */
    Operation<String> shadow() {
        OperationPolicy same = new OperationPolicy(settings);
        same.maxResultBytes = new OperationPolicy().maxResultBytes; // of what is observed, not of what is returned
        return new Operation<>(ShadowObserver.name(name), String.class, same);
    }

    Type type() {
        return type;
    }

    OperationPolicy settings() {
        return settings;
    }

    @Override
    public String toString() {
        return "Operation[" + name + "]";
    }

    private Operation<T> with(Consumer<OperationPolicy> edit) {
        OperationPolicy edited = new OperationPolicy(settings);
        edit.accept(edited);
        edited.check(name);
        return new Operation<>(name, type, edited);
    }

    private static List<Class<? extends Throwable>> plus(
            List<Class<? extends Throwable>> known, Class<? extends Throwable>[] more) {
        List<Class<? extends Throwable>> all = new ArrayList<>(known);
        Collections.addAll(all, more);
        return List.copyOf(all);
    }
}
