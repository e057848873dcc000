package io.onefold;

import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import io.onefold.store.StoreTransactions.RecordTransaction;
import io.onefold.store.TransactionConflictException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations inside a transaction that the caller began and will end: record and effect are committed together, or neither is.
 *
 * <pre>{@code
 * try (TransactionScope joined = onefold.joined(connection)) {
 *     Receipt receipt = joined.run(POST, key, attempt -> ledger.post(connection, order));
 *     connection.commit();
 * }
 * }</pre>
 *
 * Nothing waits here: of a record that another transaction holds, the answer is {@link Outcome.Busy} at once. Roll back when a call
 * throws. A {@link TransactionConflictException} says that the database gave the transaction up for another: repeat it as a whole.
 * Close when the transaction has ended: some databases hold the keys' locks until then. Not for use by several threads.
 */
public final class TransactionScope implements AutoCloseable {
    private final Onefold onefold;
    private final EngineContext engine;
    private final StoreTransactions joining;
    private final Connection connection;
    private final List<Runnable> whenOver = new ArrayList<>();
    private final List<FailedCall<?>> failures = new ArrayList<>();
    private @Nullable RecordTransaction transaction;

    TransactionScope(Onefold onefold, EngineContext engine, StoreTransactions joining, Connection connection) {
        this.onefold = onefold;
        this.engine = engine;
        this.joining = joining;
        this.connection = connection;
    }

    /** The work's result, from this execution or the first; what has no result is an exception. */
    public <T, X extends Exception> @Nullable T run(Operation<T> operation, Key key, Work<T, X> work) throws X {
        return Onefold.value(operation, key, attempt(operation, key, work));
    }

    /**
     * Runs the work unless the request is a duplicate, and returns its outcome. The outcome holds provided that the
     * transaction commits.
     */
    public <T, X extends Exception> Outcome<T> attempt(Operation<T> operation, Key key, Work<T, X> work) throws X {
        onefold.check(operation, key);
        if (key.token() != null) {
            throw new IllegalArgumentException(
                    "a token is used up by a commit that only Onefold can know of: use inTransaction for " + operation);
        }
        TransactionalCall<T, X> flight =
                new TransactionalCall<>(engine, operation, key, (attempt, same) -> work.run(attempt));
        TransactionalCall.PassResult<T> pass;
        try {
            pass = flight.pass(transaction());
            if (pass instanceof TransactionalCall.PassResult.WorkReturned<T> ran) {
                flight.write(transaction(), ran);
            }
        } finally {
            flight.restoreInterrupt();
        }
        if (pass instanceof TransactionalCall.PassResult.WorkReturned<T> ran) {
            whenOver.add(() -> engine.waiters().publish(flight.id));
            return flight.<X>executed(ran);
        } else if (pass instanceof TransactionalCall.PassResult.OutcomeKnown<T> answered) {
            return flight.told(answered.told());
        } else if (pass instanceof TransactionalCall.PassResult.WorkThrew<T> threw) {
            failures.add(new FailedCall<>(flight, threw));
            throw ExceptionRethrower.<X>as(threw.thrown());
        } else if (pass instanceof TransactionalCall.PassResult.OwnerLost<T> doubtful) {
            // writing the doubt down would need another transaction; upkeep or the next leased call does it
            return flight.told(
                    flight.retelling.unknown(doubtful.seen().record().times().leaseUntil()));
        }
        return flight.told(flight.busy(((TransactionalCall.PassResult.LockedByOther<T>) pass).seen()));
    }

    private RecordTransaction transaction() {
        if (transaction == null) {
            transaction = joining.join(connection);
        }
        return transaction;
    }

    /**
     * Counts the attempts that failed in this transaction; it must be called when the transaction was rolled back. It
     * does so in a transaction of its own on the same connection, which it commits. So a request that can never succeed
     * does not come back for ever.
     */
    public void rolledBack() {
        close();
        if (failures.isEmpty()) {
            return;
        }
        try (RecordTransaction counting = joining.join(connection)) {
            List<Runnable> told = new ArrayList<>();
            for (FailedCall<?> failure : failures) {
                failure.in(counting, told);
            }
            connection.commit();
            told.forEach(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            rollBack(e);
            failures.forEach(failure -> failure.told(null));
            throw e instanceof RuntimeException known
                    ? known
                    : new StoreException("failures were not counted: " + e.getMessage(), e);
        } finally {
            failures.clear();
        }
    }

    private void rollBack(Exception because) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    /** Ends what lasts as long as the transaction, which must be over. */
    @Override
    public void close() {
        if (transaction != null) {
            transaction.close();
            transaction = null;
        }
        whenOver.forEach(Runnable::run);
        whenOver.clear();
    }

    private record FailedCall<T>(TransactionalCall<T, ?> flight, TransactionalCall.PassResult.WorkThrew<T> failure) {
        void in(RecordTransaction transaction, List<Runnable> told) {
            OperationEvent.Kind counted = flight.count(transaction, failure);
            told.add(() -> told(counted));
        }

        void told(OperationEvent.@Nullable Kind counted) {
            flight.failed(failure.thrown(), counted);
        }
    }
}
