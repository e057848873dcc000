package io.onefold;

import io.onefold.store.RecordId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners, writes one line for each duplicate that was answered or refused, and logs lost work. */
final class EventPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(Onefold.class);
    private static final Logger DUPLICATES = LoggerFactory.getLogger("io.onefold.duplicates");

    private static final String SETTLE =
            "Duplicates are told that the outcome is unknown, and nothing is repeated unless the operation is "
                    + "safe to repeat. To settle it, register an OutcomeProbe for the operation, or find out what happened and call Onefold.settle.";
    private static final String CLASSIFY =
            " If such a failure never has an effect, declare it with retryOn; if it is final, with failOn.";
    private static final String LOOK = "Find out what happened, and call Onefold.settle.";

    private final List<OperationListener> listeners;
    private final Timer timer;
    private final UnknownOutcomeLog unknown;

    EventPublisher(List<OperationListener> listeners, Timer timer, String node) {
        this.timer = timer;
        this.listeners = List.copyOf(listeners);
        this.unknown = new UnknownOutcomeLog(timer, node);
    }

    /** Tells of something that has no duration. */
    void tell(OperationEvent.Kind kind, RecordId id) {
        tell(kind, id, now());
    }

    void tell(OperationEvent.Kind kind, RecordId id, long began) {
        if (listeners.isEmpty()) {
            return;
        }
        OperationEvent event = new OperationEvent(kind, id, Duration.ofNanos(timer.nanos() - began));
        for (OperationListener listener : listeners) {
            try {
                listener.on(event);
            } catch (Throwable e) {
                LOG.warn("a listener failed on {} of {} and was ignored", kind, id, e);
            }
        }
    }

    void duplicate(OperationEvent.Kind kind, RecordId id, long began) {
        if (DUPLICATES.isInfoEnabled()) {
            DUPLICATES.info("{} {} key {}", kind, id.operation(), id.safe());
        }
        tell(kind, id, began);
    }

    /** The work failed without saying whether it had an effect. */
    void doubted(RecordId id, long began, Throwable thrown) {
        unknown.warn(id, "Outcome unknown", "the work threw " + named(thrown), SETTLE + CLASSIFY, thrown);
        tell(OperationEvent.Kind.DOUBTED, id, began);
    }

    /** The owner was not heard of in its lease. */
    void foundUnknown(RecordId id, long began) {
        if (!ShadowObserver.isName(id.operation())) {
            String cause =
                    "the lease of the owner ended before the end of its work was recorded; its process was killed or paused, "
                            + "or could not reach the store";
            unknown.warn(id, "Outcome unknown", cause, SETTLE, null);
        }
        tell(OperationEvent.Kind.FOUND_UNKNOWN, id, began);
    }

    /** The store could not be told how the work ended; it is told again. */
    void notRecorded(RecordId id, RuntimeException failure) {
        String advice = "It is recorded as soon as the store answers. If that takes too long, the outcome is unknown.";
        unknown.warn(id, "End not recorded yet", "the store failed with " + named(failure), advice, failure);
    }

    /** The store could not be told how the work ended, and is told no more. */
    void neverRecorded(RecordId id, RuntimeException failure, @Nullable Throwable thrown) {
        String cause = "the store failed with " + named(failure)
                + (thrown == null ? "" : " after the work threw " + named(thrown));
        unknown.error(
                id,
                "End never recorded; the outcome will be found unknown",
                cause,
                SETTLE,
                thrown == null ? failure : thrown);
    }

    /** Reports that a probe could not find out the outcome. */
    void probeFailed(RecordId id, String cause, @Nullable Throwable failure) {
        String told = failure == null ? cause : cause + ", " + named(failure);
        unknown.warn(id, "Outcome still unknown", told, "The probe is asked again, less and less often.", failure);
        tell(OperationEvent.Kind.PROBE_FAILED, id);
    }

    /** The outcome is unknown for so long that somebody should look. */
    void stuck(RecordId id, String cause, @Nullable Throwable failure) {
        String told = failure == null ? cause : cause + ", " + named(failure);
        unknown.error(id, "Outcome unknown for too long; a person has to settle it", told, LOOK, failure);
        tell(OperationEvent.Kind.STUCK, id);
    }

    private long now() {
        return listeners.isEmpty() ? 0 : timer.nanos();
    }

    /** An exception that only carries another is told with it. */
    private static String named(Throwable thrown) {
        Throwable cause = thrown.getCause();
        String name = thrown.getClass().getName();
        return cause == null ? name : name + " caused by " + cause.getClass().getName();
    }

    /** Tells what is counted and not told yet. */
    void close() {
        unknown.close();
    }
}
