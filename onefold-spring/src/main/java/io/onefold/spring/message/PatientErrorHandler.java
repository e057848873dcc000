package io.onefold.spring.message;

import io.onefold.BusyException;
import io.onefold.OvertakenException;
import io.onefold.UnknownOutcomeException;
import io.onefold.spring.RetryableTransactionException;
import io.onefold.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.FailedRecordProcessor;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Kafka's error handlers, with patience for records that are not settled yet: while another consumer is at work on one, while its
 * outcome is unknown, or while the store cannot be asked, it is delivered again and again, and never dropped.
 */
public final class PatientErrorHandler {
    /** The back-off function that a handler was given. */
    private static final String OWN = "userBackOffFunction";

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final List<Class<? extends RuntimeException>> UNSETTLED = List.of(
            BusyException.class,
            UnknownOutcomeException.class,
            OvertakenException.class,
            StoreException.class,
            RetryableTransactionException.class);

    private PatientErrorHandler() {}

    /** As the one that containers have by default. */
    public static DefaultErrorHandler create() {
        return patient(new DefaultErrorHandler());
    }

    /** The same handler or processor, which keeps its own ways with all other failures. */
    @SuppressWarnings("unchecked") // so it is declared, with a setter only
    public static <H extends FailedRecordProcessor> H patient(H handler) {
        // also where it was told to retry nothing else
        UNSETTLED.forEach(handler::addRetryableExceptions);
        DirectFieldAccessor fields = new DirectFieldAccessor(handler);
        Object own = fields.isReadableProperty(OWN) ? fields.getPropertyValue(OWN) : null;
        BiFunction<ConsumerRecord<?, ?>, Exception, @Nullable BackOff> others =
                own == null ? (failed, thrown) -> null : (BiFunction<ConsumerRecord<?, ?>, Exception, BackOff>) own;
        handler.setBackOffFunction((failed, thrown) -> {
            BackOff patience = backOff(thrown);
            return patience == null ? others.apply(failed, thrown) : patience;
        });
        return handler;
    }

    static @Nullable BackOff backOff(@Nullable Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            Throwable one = cause;
            if (UNSETTLED.stream().anyMatch(type -> type.isInstance(one))) {
                return new FixedBackOff(PAUSE.toMillis(), FixedBackOff.UNLIMITED_ATTEMPTS);
            }
        }
        return null;
    }
}
