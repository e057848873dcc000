package io.onefold.spring;

import io.onefold.store.TransactionConflictException;
import org.springframework.dao.ConcurrencyFailureException;

/**
 * The database has rolled back the transaction of a transactional call in favour of another one. Nothing of the call stays, and it does not
 * count as an attempt. The same request may be sent again. Objects that the caller loaded or changed in its session before the call may be
 * lost, so it must repeat the request as a whole.
 */
public final class RetryableTransactionException extends ConcurrencyFailureException {
    private static final long serialVersionUID = 1;

    RetryableTransactionException(TransactionConflictException cause) {
        super(
                "the transaction was given up for another, and nothing of it stays; the same request may be sent again",
                cause);
    }
}
