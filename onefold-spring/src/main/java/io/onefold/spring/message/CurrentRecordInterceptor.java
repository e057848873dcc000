package io.onefold.spring.message;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.RecordInterceptor;

/**
 * An interceptor that makes a record of Kafka the {@linkplain CurrentMessage current message} while its listener is at work. The
 * application's own interceptor comes first, since the record that it returns is the one that the listener gets.
 *
 * <p>An advice would do the same, and make a proxy of the listener, which the container then does not know: it looks for the class of
 * its listener to be told of failures.
 */
final class CurrentRecordInterceptor<K, V> implements RecordInterceptor<K, V> {
    private static final ThreadLocal<@Nullable Exception> FAILURE = new ThreadLocal<>();

    private final @Nullable RecordInterceptor<K, V> own;

    private final KafkaDeadLetters deadLetters;

    CurrentRecordInterceptor(@Nullable RecordInterceptor<K, V> own, KafkaDeadLetters deadLetters) {
        this.own = own;
        this.deadLetters = deadLetters;
    }

    /** The exception of the record whose failure is judged on this thread; null if there is none. */
    static @Nullable Exception failure() {
        return FAILURE.get();
    }

    @Override
    public @Nullable ConsumerRecord<K, V> intercept(ConsumerRecord<K, V> received, Consumer<K, V> consumer) {
        FAILURE.remove();
        ConsumerRecord<K, V> handed = own == null ? received : own.intercept(received, consumer);
        CurrentMessage.hold(handed == null ? null : new CurrentMessage(handed, deadLetters));
        return handed;
    }

    @Override
    public void success(ConsumerRecord<K, V> handled, Consumer<K, V> consumer) {
        CurrentMessage.hold(null);
        if (own != null) {
            own.success(handled, consumer);
        }
    }

    @Override
    public void failure(ConsumerRecord<K, V> failed, Exception why, Consumer<K, V> consumer) {
        CurrentMessage.hold(null);
        FAILURE.set(why);
        if (own != null) {
            own.failure(failed, why, consumer);
        }
    }

    @Override
    public void afterRecord(ConsumerRecord<K, V> handled, Consumer<K, V> consumer) {
        CurrentMessage.hold(null);
        FAILURE.remove();
        if (own != null) {
            own.afterRecord(handled, consumer);
        }
    }

    @Override
    public void setupThreadState(Consumer<?, ?> consumer) {
        if (own != null) {
            own.setupThreadState(consumer);
        }
    }

    @Override
    public void clearThreadState(Consumer<?, ?> consumer) {
        CurrentMessage.hold(null);
        FAILURE.remove();
        if (own != null) {
            own.clearThreadState(consumer);
        }
    }
}
