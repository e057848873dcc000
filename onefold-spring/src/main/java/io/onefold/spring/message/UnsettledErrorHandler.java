package io.onefold.spring.message;

import io.onefold.spring.UnsettledRecordException;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * An error handler before the application's, which keeps two kinds of failures from it. Neither is a failure of the listener's work, so
 * neither may use up its retries or make a dead letter:
 *
 * <ul>
 *   <li>a record that is not settled yet;
 *   <li>a record whose acknowledgement failed, since the group has expelled its consumer or the broker does not respond.
 * </ul>
 *
 * Such a record comes again until it is settled. All other failures go to the application's handler.
 *
 * @param others the application's handler
 * @param patient handles these two kinds
 */
record UnsettledErrorHandler(CommonErrorHandler others, DefaultErrorHandler patient) implements CommonErrorHandler {
    static UnsettledErrorHandler before(CommonErrorHandler others) {
        DefaultErrorHandler patient = new DefaultErrorHandler(RedeliveringErrorHandler.patience());
        patient.addRetryableExceptions(UnsettledRecordException.class, KafkaException.class);
        patient.setSeekAfterError(others.seeksAfterHandling());
        patient.setAckAfterHandle(others.isAckAfterHandle());
        return new UnsettledErrorHandler(others, patient);
    }

    private CommonErrorHandler of(Exception thrown) {
        // what a listener throws is wrapped in an exception of Spring's: a bare KafkaException comes from the
        // acknowledgement
        return thrown instanceof KafkaException || RedeliveringErrorHandler.isUnsettled(thrown) ? patient : others;
    }

    @Override
    public boolean seeksAfterHandling() {
        return others.seeksAfterHandling();
    }

    @Override
    public boolean deliveryAttemptHeader() {
        return others.deliveryAttemptHeader();
    }

    @Override
    public void handleOtherException(
            Exception thrown, Consumer<?, ?> consumer, MessageListenerContainer container, boolean batchListener) {
        others.handleOtherException(thrown, consumer, container, batchListener);
    }

    @Override
    public boolean handleOne(
            Exception thrown,
            ConsumerRecord<?, ?> failed,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        return of(thrown).handleOne(thrown, failed, consumer, container);
    }

    @Override
    public void handleRemaining(
            Exception thrown,
            List<ConsumerRecord<?, ?>> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        of(thrown).handleRemaining(thrown, records, consumer, container);
    }

    @Override
    public void handleBatch(
            Exception thrown,
            ConsumerRecords<?, ?> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable invokeListener) {
        others.handleBatch(thrown, records, consumer, container, invokeListener);
    }

    @Override
    public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(
            Exception thrown,
            ConsumerRecords<?, ?> records,
            Consumer<?, ?> consumer,
            MessageListenerContainer container,
            Runnable invokeListener) {
        return others.handleBatchAndReturnRemaining(thrown, records, consumer, container, invokeListener);
    }

    @Override
    public int deliveryAttempt(TopicPartitionOffset offset) {
        return others.deliveryAttempt(offset);
    }

    @Override
    public void clearThreadState() {
        others.clearThreadState();
        patient.clearThreadState();
    }

    @Override
    public boolean isAckAfterHandle() {
        return others.isAckAfterHandle();
    }

    @Override
    public void setAckAfterHandle(boolean acknowledged) {
        others.setAckAfterHandle(acknowledged);
        patient.setAckAfterHandle(acknowledged);
    }

    @Override
    public void onPartitionsAssigned(
            Consumer<?, ?> consumer, Collection<TopicPartition> partitions, Runnable publishPause) {
        others.onPartitionsAssigned(consumer, partitions, publishPause);
    }
}
