package io.onefold.spring.message;

import io.onefold.spring.ListenerSettings;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.FailedRecordProcessor;

/**
 * The destination of the rejected records of a container.
 *
 * @param bare the error handler that Onefold has given the container, if it hands records to no recoverer; else null
 */
record KafkaDeadLetters(
        AbstractMessageListenerContainer<?, ?> container,
        @Nullable CommonErrorHandler bare,
        Supplier<ListenerSettings> settings) {
    /**
     * Returns true if a recoverer takes the rejected records. Spring keeps recoverers of its own kind unchanged, such as the one that
     * publishes dead letters. It wraps all others, and its own that only logs, in the same kind of function.
     */
    boolean exist() {
        Object judge = judge(container);
        boolean always = settings.get().deadLetters() == ListenerSettings.DeadLetterPolicy.ALWAYS;
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

    /**
     * Returns the object that judges failures. In transactions it is the after-rollback processor, since an error handler would hide
     * failures from it.
     */
    static @Nullable Object judge(AbstractMessageListenerContainer<?, ?> container) {
        Object judge = KafkaTransactions.isIn(container.getContainerProperties())
                ? container.getAfterRollbackProcessor()
                : container.getCommonErrorHandler();
        return judge instanceof UnsettledErrorHandler handler ? handler.others() : judge;
    }
}
