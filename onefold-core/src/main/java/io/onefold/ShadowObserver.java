package io.onefold;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observes calls without changing anything: they run as if there were no Onefold, and what would have become of them is told to the
 * logger {@code io.onefold.shadow}. The records of it stand under names of their own, so that they answer nobody when protection is
 * switched on.
 */
public final class ShadowObserver {
    private static final Logger LOG = LoggerFactory.getLogger("io.onefold.shadow");
    private static final String PREFIX = "shadow:";
    private static final int LONGEST = 84;

    private static final String DONE = "done";
    /** An end like any other: nobody is to be bothered with settling it. */
    private static final String UNKNOWN = "unknown";

    private ShadowObserver() {}

    static String name(String operation) {
        return PREFIX
                + (operation.length() <= LONGEST
                        ? operation
                        : operation.substring(0, LONGEST) + Integer.toHexString(operation.hashCode()));
    }

    /** Returns true if records of this operation are only observations. */
    public static boolean isName(String operation) {
        return operation.startsWith(PREFIX);
    }

    /**
     * Observes a call that runs by itself.
     *
     * @param joined whether the record would be written in the transaction of the call, which ends without effect where the call fails
     * @param end how the call ends, as the operation would see it
     */
    public static void observe(
            Onefold onefold, Operation<?> operation, Key key, boolean joined, CompletionStage<?> end) {
        Key known = key.withoutToken(); // it would be spent
        onefold.observed().after(operation, known, end, () -> record(onefold, operation, known, joined, end));
    }

    private static CompletionStage<?> record(
            Onefold onefold, Operation<?> operation, Key key, boolean joined, CompletionStage<?> end) {
        Operation<String> observed = operation.shadow();
        AtomicBoolean first = new AtomicBoolean();
        try {
            return onefold.attemptAsync(observed, key, attempt -> {
                        first.set(true);
                        return ended(observed.settings(), attempt, joined, end);
                    })
                    .whenComplete((outcome, thrown) -> {
                        if (thrown != null && !first.get()) {
                            failed(operation.name(), thrown);
                        } else if (outcome != null) {
                            report(operation.name(), outcome);
                        }
                    });
        } catch (RuntimeException e) {
            failed(operation.name(), e);
            return CompletableFuture.completedFuture(null);
        }
    }

    private static CompletionStage<String> ended(
            OperationPolicy policy, Attempt attempt, boolean joined, CompletionStage<?> end) {
        CompletableFuture<String> ended = new CompletableFuture<>();
        var unused = end.whenComplete((value, thrown) -> {
            Throwable why =
                    thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
            if (why == null) {
                ended.complete(DONE);
            } else if (why instanceof NotExecutedException
                    || policy.retryable(why)
                    || policy.fatal(why)
                    || policy.repeats(attempt.number())) {
                ended.completeExceptionally(why);
            } else if (joined) {
                ended.completeExceptionally(attempt.notExecuted("rolled back", why));
            } else {
                ended.complete(UNKNOWN);
            }
        });
        return ended;
    }

    private static void report(String operation, Outcome<String> outcome) {
        if (outcome instanceof Outcome.Conflict<String> conflict) {
            LOG.warn(
                    "{}: a key was used for another request, which would be refused{}",
                    operation,
                    conflict.fields().isEmpty() ? "" : "; it differs in " + conflict.fields());
            return;
        }
        String would = would(outcome);
        if (would != null) {
            LOG.info("{}: a duplicate ran, which would {}", operation, would);
        }
    }

    private static @Nullable String would(Outcome<String> outcome) {
        if (outcome instanceof Outcome.Replayed<String> replayed) {
            return UNKNOWN.equals(replayed.value())
                    ? "be told that nobody knows what became of the first"
                    : "get the first answer";
        }
        if (outcome instanceof Outcome.Failed<String>) {
            return "be told how the first has failed";
        }
        if (outcome instanceof Outcome.InProgress<String>) {
            return "be told that the first is still under way";
        }
        if (outcome instanceof Outcome.Rejected<String> refused) {
            return "be refused: " + refused.message();
        }
        return outcome instanceof Outcome.Unknown<String> ? "be told that nobody knows what became of the first" : null;
    }

    /** Tells of a call that would not even have been asked for its record. */
    public static void refused(String operation, String why) {
        LOG.info("{}: a call ran, which would be refused: {}", operation, why);
    }

    /** Tells of a call that nobody could look at. There may be many of them, and one reason for all. */
    public static void failed(String operation, Throwable why) {
        LOG.warn("{}: a call could not be observed: {}", operation, why.toString());
        LOG.debug("{}: a call could not be observed", operation, why);
    }
}
