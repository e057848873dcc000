package io.onefold.spring.message;

import io.onefold.spring.ListenerSettings;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.FailedRecordProcessor;

/**
 * What becomes of the records of a container that are refused.
 *
 * @param bare the error handler that Onefold has given the container, if that hands records to nobody; else null
 */
record KafkaDeadLetters(
        AbstractMessageListenerContainer<?, ?> container,
        @Nullable CommonErrorHandler bare,
        Supplier<ListenerSettings> settings) {
    /**
     * Whether somebody takes them. Of the recoverers that Spring is given, it keeps those of its own kind, as the one that publishes dead
     * letters, as they are; it wraps others, and its own, which only logs, in the same kind of function.
     */
    boolean exist() {
        Object judge = judge(container);
        boolean always = settings.get().deadLetters() == ListenerSettings.DeadLetters.ALWAYS;
        if (judge == null || judge == bare) {
            return false;
        }
        if (!(judge instanceof FailedRecordProcessor)) {
            return always;
        }
        Object tracker = Objects.requireNonNull(ContainerFields.get(judge, "failureTracker"));
        Object recoverer = Objects.requireNonNull(ContainerFields.get(tracker, "recoverer"));
        boolean known =
                !recoverer.getClass().getName().startsWith(tracker.getClass().getName());
        return known || always;
    }

    /** Who judges failures: in transactions the after-rollback processor, which an error handler would keep failures from. */
    static @Nullable Object judge(AbstractMessageListenerContainer<?, ?> container) {
        Object judge = KafkaTransactions.isIn(container.getContainerProperties())
                ? container.getAfterRollbackProcessor()
                : container.getCommonErrorHandler();
        return judge instanceof UnsettledErrorHandler handler ? handler.others() : judge;
    }
}
