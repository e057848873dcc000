package io.onefold.spring.message;

import io.onefold.spring.UnsettledRecordException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.FailedRecordProcessor;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Gives Kafka's error handlers patience for records that are not settled yet. While another consumer works on a record, while its outcome
 * is unknown, or while the store is unreachable, the record is delivered again and never dropped. A record that is given up after a limit
 * is thrown as a {@code RefusedRecordException}, which the handlers do not retry but recover.
 */
public final class RedeliveringErrorHandler {
    /** The back-off function that a handler was given. */
    private static final String OWN = "userBackOffFunction";

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private RedeliveringErrorHandler() {}

    /** Returns true if the handler recovers each record at once, without a back-off: it cannot be made patient. */
    static boolean isWithoutRetries(FailedRecordProcessor handler) {
        Object tracker = Objects.requireNonNull(ContainerFields.get(handler, "failureTracker"));
        return Boolean.TRUE.equals(ContainerFields.get(tracker, "noRetries"));
    }

    /**
     * Returns the same handler or processor, which treats all other failures as before. Listeners without the annotation may share it,
     * since they never throw exceptions of that kind. A record that fails in one way and then in another begins its retries anew. Otherwise
     * a record whose method has thrown would be dropped while it is not settled.
     */
    @SuppressWarnings("unchecked") // so it is declared, with a setter only
    public static <H extends FailedRecordProcessor> H patient(H handler) {
        Object own = ContainerFields.get(handler, OWN);
        if (!(own instanceof UnsettledBackOff)) {
            // also where it was told to retry nothing else
            handler.addRetryableExceptions(UnsettledRecordException.class);
            handler.setResetStateOnExceptionChange(true);
            Object tracker = Objects.requireNonNull(ContainerFields.get(handler, "failureTracker"));
            handler.setBackOffFunction(
                    new UnsettledBackOff((BiFunction<ConsumerRecord<?, ?>, Exception, BackOff>) own, (BackOff)
                            Objects.requireNonNull(ContainerFields.get(tracker, "backOff"))));
        }
        return handler;
    }

    static boolean isUnsettled(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsettledRecordException) {
                return true;
            }
        }
        return false;
    }

    static BackOff patience() {
        return new FixedBackOff(PAUSE.toMillis(), FixedBackOff.UNLIMITED_ATTEMPTS);
    }

    /**
     * @param others asked for all other failures
     * @param usual the handler's own back-off, used where {@code others} gives none
     */
    private record UnsettledBackOff(
            @Nullable BiFunction<ConsumerRecord<?, ?>, Exception, BackOff> others, BackOff usual)
            implements BiFunction<ConsumerRecord<?, ?>, Exception, @Nullable BackOff> {
        @Override
        public @Nullable BackOff apply(ConsumerRecord<?, ?> failed, Exception thrown) {
            return isUnsettled(thrown) ? () -> new Retries(this, failed) : ordinary(failed, thrown);
        }

        private @Nullable BackOff ordinary(ConsumerRecord<?, ?> failed, Exception thrown) {
            return others == null ? null : others.apply(failed, thrown);
        }

        private BackOffExecution ordinaryRetries(ConsumerRecord<?, ?> failed, Exception thrown) {
            return Objects.requireNonNullElse(ordinary(failed, thrown), usual).start();
        }
    }

    /**
     * Retries of a record that was not settled when it first failed. Spring goes on with the same retries if the method throws a plain {@link
     * RuntimeException} later, since it takes that for the same kind of failure. From then on they are limited by the handler's own back-off.
     */
    private static final class Retries implements BackOffExecution {
        private final UnsettledBackOff patience;
        private final ConsumerRecord<?, ?> failed;
        private @Nullable BackOffExecution ordinary;

        Retries(UnsettledBackOff patience, ConsumerRecord<?, ?> failed) {
            this.patience = patience;
            this.failed = failed;
        }

        @Override
        public long nextBackOff() {
            Exception thrown = CurrentRecordInterceptor.failure();
            if (thrown == null || isUnsettled(thrown)) {
                return PAUSE.toMillis();
            }
            ordinary = ordinary == null ? patience.ordinaryRetries(failed, thrown) : ordinary;
            return ordinary.nextBackOff();
        }
    }
}
