package io.onefold.spring;

import io.onefold.store.ConflictingTransactionException;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * A joined call whose transaction the database gave up for another: nothing of it stays, and it is no attempt. The same request may be sent
 * again. What the caller has loaded or changed in its session before the call may be lost, so the request is to be repeated as a whole.
 */
public final class RetryableTransactionException extends ConcurrencyFailureException {
    private static final long serialVersionUID = 1;

    RetryableTransactionException(ConflictingTransactionException cause) {
        super(
                "the transaction was given up for another, and nothing of it stays; the same request may be sent again",
                cause);
    }
}
