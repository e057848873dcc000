package io.onefold.spring;

import io.onefold.AttemptFailedException;
import io.onefold.BusyException;
import io.onefold.ConflictException;
import io.onefold.OperationFailedException;
import io.onefold.Outcome;
import io.onefold.OvertakenException;
import io.onefold.RefusedException;
import io.onefold.UnknownOutcomeException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How listeners speak to brokers: by what they throw, and when, these know whether to deliver a message again. */
final class Listening {
    private static final Duration USUAL_WAIT = Duration.ofSeconds(2);

    /** Also for those who do not wait for others at all: brokers would deliver without a pause. */
    private static final Duration LEAST_REST = Duration.ofMillis(100);

    private Listening() {}

    /** Keys are found without asking anybody: what fails once fails again, however often the message comes. */
    static RuntimeException unusable(Door door, RuntimeException why) {
        return switch (door) {
            case KAFKA -> Kafka.refused(why);
            case RABBIT -> Rabbit.refused(why);
            case HTTP, SCHEDULED, CALL -> why;
        };
    }

    /** What the broker is to understand: a message that would be refused again must not come again, one that is not settled must. */
    static RuntimeException told(Door door, RuntimeException why) {
        if (why instanceof ConflictException
                || why instanceof RefusedException
                || why instanceof OperationFailedException) {
            return unusable(door, why);
        }
        boolean unsettled = why instanceof BusyException
                || why instanceof AttemptFailedException
                || why instanceof UnknownOutcomeException
                || why instanceof OvertakenException;
        return unsettled ? unsettled(door, why) : why;
    }

    /** Brokers would drop what fails, and error handlers give it up: they know a message that must come again by its exception. */
    static RuntimeException unsettled(Door door, RuntimeException why) {
        return switch (door) {
            case KAFKA -> new UnsettledRecordException(String.valueOf(why.getMessage()), why);
            case RABBIT -> Rabbit.unsettled(why);
            case HTTP, SCHEDULED, CALL -> why;
        };
    }

    /** Whether the broker is to deliver the message again, later. */
    static boolean isUnsettled(Outcome<?> outcome) {
        return outcome instanceof Outcome.Busy<?>
                || outcome instanceof Outcome.AttemptFailed<?>
                || outcome instanceof Outcome.Unknown<?>;
    }

    /**
     * For how many nanoseconds a message that will be delivered again is held back: brokers deliver it at once, and it would go round
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

    /** Not in a transaction of the caller's, which holds a connection: who has begun it rests when it is over. */
    static void hold(IdempotentMethod method, long began) {
        if (Transactions.isUnderWay()) {
            return;
        }
        try {
            TimeUnit.NANOSECONDS.sleep(rest(method, began));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Rabbit {
        static RuntimeException refused(RuntimeException why) {
            return new org.springframework.amqp.AmqpRejectAndDontRequeueException(
                    String.valueOf(why.getMessage()), why);
        }

        static RuntimeException unsettled(RuntimeException why) {
            return new UnsettledMessageException(String.valueOf(why.getMessage()), why);
        }
    }

    private static final class Kafka {
        static RuntimeException refused(RuntimeException why) {
            return new RefusedRecordException(String.valueOf(why.getMessage()), why);
        }
    }
}
