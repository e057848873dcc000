package io.onefold.spring.message;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.kafka.listener.ContainerProperties;

/** The transactions of a container. */
final class KafkaTransactions {
    private static final String MANAGER = "transactionManager";

    private KafkaTransactions() {}

    /** Returns true if the container calls its listener in a transaction, of Kafka or of another system. */
    static boolean isIn(ContainerProperties properties) {
        // the getter for managers that are not Kafka's own will be removed, while such managers still work
        DirectFieldAccessor fields = new DirectFieldAccessor(properties);
        return properties.getKafkaAwareTransactionManager() != null
                || (fields.isReadableProperty(MANAGER) && fields.getPropertyValue(MANAGER) != null);
    }

    /**
     * Rejects transactions of Kafka, since messages sent in them exist only after the commit.
     *
     * @throws IllegalStateException if there are some
     */
    static void refuse(ContainerProperties properties, String listener) {
        if (properties.getKafkaAwareTransactionManager() != null) {
            throw new IllegalStateException(
                    "The @Idempotent listener " + listener
                            + " has a container with Kafka transactions. Its record is committed first. If the process dies before the Kafka transaction"
                            + " commits, the messages that the method has sent never exist, and the record that comes again is only replayed. Give it a"
                            + " container factory without a KafkaAwareTransactionManager and send its messages by an outbox table; or, if it sends none,"
                            + " allow it: onefold.listeners.kafka-transactions=true, or ListenerSettings.kafkaTransactions(true)");
        }
    }
}
