package io.onefold.spring.message;

import io.onefold.spring.UnsettledRecordException;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * An error handler before one of the application's that has no retries at all: that one asks nobody before it recovers a record, so it
 * cannot be made {@linkplain PatientErrorHandler patient}. It gets all failures but records that are not settled.
 *
 * @param others the application's
 * @param patient for records that are not settled
 */
record UnsettledErrorHandler(CommonErrorHandler others, DefaultErrorHandler patient) implements CommonErrorHandler {
    static UnsettledErrorHandler before(CommonErrorHandler others) {
        DefaultErrorHandler patient = PatientErrorHandler.create();
        patient.setSeekAfterError(others.seeksAfterHandling());
        patient.setAckAfterHandle(others.isAckAfterHandle());
        return new UnsettledErrorHandler(others, patient);
    }

    private CommonErrorHandler of(Exception thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnsettledRecordException) {
                return patient;
            }
        }
        return others;
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
