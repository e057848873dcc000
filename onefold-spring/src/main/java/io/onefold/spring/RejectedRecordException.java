package io.onefold.spring;

import org.springframework.kafka.support.converter.ConversionException;

/**
 * A record of Kafka that would be rejected each time it comes: it has no valid key, the key is known with another payload, or its operation
 * has failed for good. The cause says which. By default, error handlers do not retry exceptions of this type.
 */
public final class RejectedRecordException extends ConversionException {
    private static final long serialVersionUID = 1;

    RejectedRecordException(String message, RuntimeException cause) {
        super(message, cause);
    }
}
