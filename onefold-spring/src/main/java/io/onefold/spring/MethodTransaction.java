package io.onefold.spring;

import io.onefold.UncountedFailureException;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.AbstractTransactionStatus;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction of a transactional method, seen from inside of its {@code @Transactional}. Only there it is known whether the record is
 * in this transaction, and whether the method itself marked it for rollback. If other code inside of it marked it for rollback, the
 * method's return is not a success.
 */
final class MethodTransaction {
    private static final String ATTRIBUTE = MethodTransaction.class.getName();

    private final IdempotentMethod method;
    private final DataSource source;
    private @Nullable TransactionStatus outside;
    private boolean givenUp;
    private boolean countedLater;

    /** @param source the database of the store */
    MethodTransaction(IdempotentMethod method, DataSource source) {
        this.method = method;
        this.source = source;
    }

    /** Delays the count of a failed commit until the filter knows the response, which may be kept. */
    void countLater() {
        countedLater = true;
    }

    /** Returns the exception for a commit that has certainly failed. */
    RuntimeException failed(RuntimeException commit) {
        return countedLater ? new UncountedFailureException(commit) : commit;
    }

    IdempotentMethod method() {
        return method;
    }

    /** Watches one pass of the call. */
    void watch(MethodInvocation invocation) {
        outside = current();
        givenUp = false;
        if (invocation instanceof ProxyMethodInvocation proxied) {
            proxied.setUserAttribute(ATTRIBUTE, this);
        }
    }

    /** @throws IllegalStateException if the method, after all its advice, is not in the transaction of its record */
    static void check(ProxyMethodInvocation invocation) {
        if (invocation.getUserAttribute(ATTRIBUTE) instanceof MethodTransaction watched) {
            watched.check();
        }
    }

    private void check() {
        TransactionStatus own = current();
        // otherwise it has no @Transactional, or one that is woven into it
        if (own != null && own != outside && !isJoined(own)) {
            throw new IllegalStateException(method
                    + " is joined, but its @Transactional has led it into another transaction than the one that its record"
                    + " is in: name the store's transaction manager there, or say mode = Mode.LEASED");
        }
    }

    /** Calls the method. */
    static @Nullable Object proceed(ProxyMethodInvocation invocation) throws Throwable {
        return invocation.getUserAttribute(ATTRIBUTE) instanceof MethodTransaction watched
                ? watched.called(invocation)
                : invocation.proceed();
    }

    private @Nullable Object called(MethodInvocation invocation) throws Throwable {
        TransactionStatus own = current();
        Object returned = invocation.proceed();
        givenUp = own != outside && own instanceof AbstractTransactionStatus status && status.isLocalRollbackOnly();
        return returned;
    }

    private boolean isJoined(TransactionStatus own) {
        if (own.isNewTransaction() || !own.hasTransaction()) {
            return false;
        }
        return !(own instanceof DefaultTransactionStatus status)
                || !(status.getTransaction() instanceof JdbcTransactionObjectSupport object)
                || (object.hasConnectionHolder()
                        && object.getConnectionHolder() == TransactionSynchronizationManager.getResource(source));
    }

    /** Returns true if the method itself has asked for a rollback of its transaction, and has returned. */
    boolean isGivenUp() {
        return givenUp;
    }

    private static @Nullable TransactionStatus current() {
        try {
            return TransactionAspectSupport.currentTransactionStatus();
        } catch (NoTransactionException e) {
            return null;
        }
    }
}
