package io.onefold.spring;

import io.onefold.AttemptFailedException;
import io.onefold.ConflictException;
import io.onefold.InProgressException;
import io.onefold.OperationFailedException;
import io.onefold.Outcome;
import io.onefold.OvertakenException;
import io.onefold.RejectedException;
import io.onefold.UnknownOutcomeException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Translates the outcome of a listener for its broker. The exception, and its moment, tell the broker whether to deliver a message again.
 */
final class ListenerExceptions {
    private static final Duration USUAL_WAIT = Duration.ofSeconds(2);

    /** The shortest pause, also for operations whose duplicates do not wait: brokers would otherwise deliver without a pause. */
    private static final Duration LEAST_REST = Duration.ofMillis(100);

    private ListenerExceptions() {}

    /**
     * Returns the exception for a key that cannot be found. Finding a key needs no other system, so it fails again each time the message
     * comes.
     */
    static RuntimeException unusable(InvocationSource door, RuntimeException why) {
        return switch (door) {
            case KAFKA -> KafkaExceptions.refused(why);
            case RABBIT -> RabbitExceptions.refused(why);
            case HTTP, SCHEDULED, CALL -> why;
        };
    }

    /**
     * Returns the exception for the broker. A message that would be rejected again must not come again; a message that is not settled must.
     */
    static RuntimeException told(InvocationSource door, RuntimeException why) {
        if (why instanceof ConflictException
                || why instanceof RejectedException
                || why instanceof OperationFailedException) {
            return unusable(door, why);
        }
        boolean unsettled = why instanceof InProgressException
                || why instanceof AttemptFailedException
                || why instanceof UnknownOutcomeException
                || why instanceof OvertakenException;
        return unsettled ? unsettled(door, why) : why;
    }

    /**
     * Returns the exception that marks a message which must come again. Brokers would drop other failures, and error handlers would give
     * them up.
     */
    static RuntimeException unsettled(InvocationSource door, RuntimeException why) {
        return switch (door) {
            case KAFKA -> new UnsettledRecordException(String.valueOf(why.getMessage()), why);
            case RABBIT -> RabbitExceptions.unsettled(why);
            case HTTP, SCHEDULED, CALL -> why;
        };
    }

    /** Returns true if the broker should deliver the message again later. */
    static boolean isUnsettled(Outcome<?> outcome) {
        return outcome instanceof Outcome.InProgress<?>
                || outcome instanceof Outcome.AttemptFailed<?>
                || outcome instanceof Outcome.Unknown<?>;
    }

    /**
     * Returns the pause in nanoseconds before a message goes back to the broker. Brokers deliver it again at once, so it would circulate
     * without a pause.
     */
    static long rest(IdempotentMethod method, long began) {
        if (!method.door().listens()) {
            return 0;
        }
        return usualRest(method).toNanos() - (System.nanoTime() - began);
    }

    static Duration usualRest(IdempotentMethod method) {
        Duration wait = method.settings().waitFor();
        return wait == null ? USUAL_WAIT : wait.compareTo(LEAST_REST) < 0 ? LEAST_REST : wait;
    }

    /** Pauses, unless the caller has a transaction, which holds a connection: the code that began it pauses when it is over. */
    static void hold(IdempotentMethod method, long began) {
        if (TransactionDetector.isUnderWay()) {
            return;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(rest(method, began));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class RabbitExceptions {
        static RuntimeException refused(RuntimeException why) {
            return new org.springframework.amqp.AmqpRejectAndDontRequeueException(
                    String.valueOf(why.getMessage()), why);
        }

        static RuntimeException unsettled(RuntimeException why) {
            return new UnsettledMessageException(String.valueOf(why.getMessage()), why);
        }
    }

    private static final class KafkaExceptions {
        static RuntimeException refused(RuntimeException why) {
            return new RejectedRecordException(String.valueOf(why.getMessage()), why);
        }
    }
}
