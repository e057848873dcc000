package io.onefold.spring;

import org.springframework.amqp.ImmediateRequeueAmqpException;

/**
 * A message of RabbitMQ that is not settled yet: another consumer is at work on it, its outcome is unknown, or the store cannot be
 * asked. The cause says which. It goes back to its queue, whatever containers do with other failures.
 */
public final class UnsettledMessageException extends ImmediateRequeueAmqpException {
    private static final long serialVersionUID = 1;

    UnsettledMessageException(String message, RuntimeException cause) {
        super(message, cause);
    }
}
