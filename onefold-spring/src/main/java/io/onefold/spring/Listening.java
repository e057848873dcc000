package io.onefold.spring;

import io.onefold.ConflictException;
import io.onefold.OperationFailedException;
import io.onefold.Outcome;
import io.onefold.RefusedException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** How listeners speak to brokers: by what they throw, and when, these know whether to deliver a message again. */
final class Listening {
    private static final String RETRYABLE = "org.springframework.kafka.annotation.RetryableTopic";
    private static final String RECORDS = "org.apache.kafka.clients.consumer.ConsumerRecords";
    private static final Set<String> ACKNOWLEDGING =
            Set.of("org.springframework.kafka.support.Acknowledgment", "com.rabbitmq.client.Channel");
    private static final Duration USUAL_WAIT = Duration.ofSeconds(2);

    private Listening() {}

    /** Why a listener could not be made safe to repeat; null if it can. */
    static @Nullable String trouble(Method method, Class<?> type, Door door, Declared declared, Messages messages) {
        if (!door.listens()) {
            return null;
        }
        if (messages == Messages.NONE) {
            return "listens to messages, but nothing finds them: import"
                    + " io.onefold.spring.message.ListenerConfiguration";
        }
        MergedAnnotations onMethod = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotations onType = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
        String batch = onMethod.get(door.annotation())
                .getValue("batch", String.class)
                .orElse(onType.get(door.annotation())
                        .getValue("batch", String.class)
                        .orElse(""));
        if (batch.equals("true") || (!batch.equals("false") && takesMany(method))) {
            return "takes a batch of messages, of which each has a key of its own: let it take one message at a time; or,"
                    + " if a single message holds them all, say so with batch = \"false\"";
        }
        if (acknowledges(method)
                || onMethod.get(door.annotation())
                        .getValue("ackMode", String.class)
                        .orElse("")
                        .equals("MANUAL")) {
            return "acknowledges its messages by itself, but is not called for duplicates, which nobody would acknowledge:"
                    + " leave that to the container, without an argument for it";
        }
        boolean retries = onMethod.isPresent(RETRYABLE) || onType.isPresent(RETRYABLE);
        return retries && declared.scope().isEmpty()
                ? "is retried on other topics by other groups, where its keys would be new: say with scope whose they"
                        + " are, for instance scope = \"'orders'\""
                : null;
    }

    private static boolean takesMany(Method method) {
        for (Class<?> parameter : method.getParameterTypes()) {
            if (Iterable.class.isAssignableFrom(parameter)
                    || parameter.getName().equals(RECORDS)) {
                return true;
            }
        }
        return false;
    }

    private static boolean acknowledges(Method method) {
        for (Class<?> parameter : method.getParameterTypes()) {
            if (ACKNOWLEDGING.contains(parameter.getName())) {
                return true;
            }
        }
        return false;
    }

    /** Keys are found without asking anybody: what fails once fails again, however often the message comes. */
    static RuntimeException unusable(Door door, RuntimeException why) {
        return switch (door) {
            case KAFKA -> Kafka.refused(why);
            case RABBIT -> Rabbit.refused(why);
            case HTTP, SCHEDULED, CALL -> why;
        };
    }

    /** A message that would be refused again must not come again. */
    static RuntimeException refused(Door door, RuntimeException why) {
        boolean forGood = why instanceof ConflictException
                || why instanceof RefusedException
                || why instanceof OperationFailedException;
        return forGood ? unusable(door, why) : why;
    }

    /** Whether the broker is to deliver the message again, later. */
    static boolean isUnsettled(Outcome<?> outcome) {
        return outcome instanceof Outcome.Busy<?> || outcome instanceof Outcome.Unknown<?>;
    }

    /**
     * For how many nanoseconds a message that will be delivered again is held back: brokers deliver it at once, and it would go round
     * without a pause.
     */
    static long rest(IdempotentMethod method, long began) {
        if (!method.door().listens()) {
            return 0;
        }
        Duration wait = method.settings().waitFor();
        return (wait == null ? USUAL_WAIT : wait).toNanos() - (System.nanoTime() - began);
    }

    static void hold(IdempotentMethod method, long began) {
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
    }

    private static final class Kafka {
        static RuntimeException refused(RuntimeException why) {
            return new RefusedRecordException(String.valueOf(why.getMessage()), why);
        }
    }
}
