package io.onefold;

import io.onefold.store.ConflictingTransactionException;
import io.onefold.store.Joining;
import io.onefold.store.Joining.Transaction;
import io.onefold.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Operations inside a transaction that the caller began and will end: record and effect are committed together, or neither is.
 *
 * <pre>{@code
 * try (Joined joined = onefold.joined(connection)) {
 *     Receipt receipt = joined.run(POST, key, attempt -> ledger.post(connection, order));
 *     connection.commit();
 * }
 * }</pre>
 *
 * Nothing waits here: of a record that another transaction holds, the answer is {@link Outcome.Busy} at once. Roll back when a call
 * throws. A {@link ConflictingTransactionException} says that the database gave the transaction up for another: repeat it as a whole.
 * Close when the transaction has ended: some databases hold the keys' locks until then. Not for use by several threads.
 */
public final class Joined implements AutoCloseable {
    private final Onefold onefold;
    private final Engine engine;
    private final Joining joining;
    private final Connection connection;
    private final List<Runnable> whenOver = new ArrayList<>();
    private final List<Counted<?>> failures = new ArrayList<>();
    private @Nullable Transaction transaction;

    Joined(Onefold onefold, Engine engine, Joining joining, Connection connection) {
        this.onefold = onefold;
        this.engine = engine;
        this.joining = joining;
        this.connection = connection;
    }

    /** The work's result, from this execution or the first; what has no result is an exception. */
    public <T, X extends Exception> @Nullable T run(Operation<T> operation, Key key, Work<T, X> work) throws X {
        return Onefold.value(operation, key, attempt(operation, key, work));
    }

    /** What became of the request, provided that the transaction commits. */
    public <T, X extends Exception> Outcome<T> attempt(Operation<T> operation, Key key, Work<T, X> work) throws X {
        onefold.check(operation, key);
        if (key.token() != null) {
            throw new IllegalArgumentException(
                    "a token is used up by a commit that only Onefold can know of: use inTransaction for " + operation);
        }
        JoinedFlight<T, X> flight = new JoinedFlight<>(engine, operation, key, (attempt, same) -> work.run(attempt));
        JoinedFlight.Pass<T> pass;
        try {
            pass = flight.pass(transaction());
            if (pass instanceof JoinedFlight.Pass.Ran<T> ran) {
                flight.write(transaction(), ran);
            }
        } finally {
            flight.restoreInterrupt();
        }
        if (pass instanceof JoinedFlight.Pass.Ran<T> ran) {
            whenOver.add(() -> engine.waiters().publish(flight.id));
            return flight.<X>executed(ran);
        } else if (pass instanceof JoinedFlight.Pass.Answered<T> answered) {
            return flight.told(answered.told());
        } else if (pass instanceof JoinedFlight.Pass.Threw<T> threw) {
            failures.add(new Counted<>(flight, threw));
            throw Thrown.<X>as(threw.thrown());
        } else if (pass instanceof JoinedFlight.Pass.Doubtful<T> doubtful) {
            // writing the doubt down would need another transaction; upkeep or the next leased call does it
            return flight.told(
                    flight.retelling.unknown(doubtful.seen().record().times().leaseUntil()));
        }
        return flight.told(flight.busy(((JoinedFlight.Pass.Held<T>) pass).seen()));
    }

    private Transaction transaction() {
        if (transaction == null) {
            transaction = joining.join(connection);
        }
        return transaction;
    }

    /**
     * To be called when the transaction was rolled back: counts the attempts that failed in it, in a transaction of its own on the
     * same connection, which it commits. So a request that can never succeed does not come back for ever.
     */
    public void rolledBack() {
        close();
        if (failures.isEmpty()) {
            return;
        }
        try (Transaction counting = joining.join(connection)) {
            List<Runnable> told = new ArrayList<>();
            for (Counted<?> failure : failures) {
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

    private record Counted<T>(JoinedFlight<T, ?> flight, JoinedFlight.Pass.Threw<T> failure) {
        void in(Transaction transaction, List<Runnable> told) {
            Event.Kind counted = flight.count(transaction, failure);
            told.add(() -> told(counted));
        }

        void told(Event.@Nullable Kind counted) {
            flight.failed(failure.thrown(), counted);
        }
    }
}
