package io.onefold.spring;

import org.springframework.amqp.ImmediateRequeueAmqpException;

/**
 * A message of RabbitMQ that is not settled yet: another consumer works on it, its outcome is unknown, or the store is unreachable. The
 * cause says which. It goes back to its queue, no matter how the container handles other failures.
 */
public final class UnsettledMessageException extends ImmediateRequeueAmqpException {
    private static final long serialVersionUID = 1;

    UnsettledMessageException(String message, RuntimeException cause) {
        super(message, cause);
    }
}
