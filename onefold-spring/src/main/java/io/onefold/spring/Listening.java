package io.onefold.spring;

import io.onefold.ConflictException;
import io.onefold.OperationFailedException;
import io.onefold.RefusedException;

/** What listeners throw: by it the broker knows whether to deliver a message again. */
final class Listening {
    private Listening() {}

    /** A message that would be refused again, however often it comes, must not come again. */
    static RuntimeException refused(Door door, RuntimeException why) {
        boolean forGood = why instanceof MissingKeyException
                || why instanceof RejectedCallException
                || why instanceof ConflictException
                || why instanceof RefusedException
                || why instanceof OperationFailedException;
        return door == Door.RABBIT && forGood ? Rabbit.rejected(why) : why;
    }

    private static final class Rabbit {
        static RuntimeException rejected(RuntimeException why) {
            return new org.springframework.amqp.AmqpRejectAndDontRequeueException(
                    String.valueOf(why.getMessage()), why);
        }
    }
}
