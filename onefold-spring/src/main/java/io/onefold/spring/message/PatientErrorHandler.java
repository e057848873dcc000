package io.onefold.spring.message;

import io.onefold.BusyException;
import io.onefold.OvertakenException;
import io.onefold.UnknownOutcomeException;
import io.onefold.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.FailedRecordProcessor;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Kafka's error handlers, with patience for records that are not settled yet: while another consumer is at work on one, while its
 * outcome is unknown, or while the store cannot be asked, it is delivered again and again, and never dropped.
 */
public final class PatientErrorHandler {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final List<Class<? extends RuntimeException>> UNSETTLED =
            List.of(BusyException.class, UnknownOutcomeException.class, OvertakenException.class, StoreException.class);

    private PatientErrorHandler() {}

    /** As the one that containers have by default. */
    public static DefaultErrorHandler create() {
        return patient(new DefaultErrorHandler());
    }

    /** The same handler or processor, which keeps its own ways with all other failures. It may have no back-off function of its own. */
    public static <H extends FailedRecordProcessor> H patient(H handler) {
        // also where it was told to retry nothing else
        UNSETTLED.forEach(handler::addRetryableExceptions);
        handler.setBackOffFunction((failed, thrown) -> backOff(thrown));
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
