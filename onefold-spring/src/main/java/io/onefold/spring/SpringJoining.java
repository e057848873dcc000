package io.onefold.spring;

import io.onefold.NotBegunException;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Joining;
import io.onefold.store.LostCommitException;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import java.sql.Connection;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions that Spring begins and ends, with records of the store in them. A session that is open on the thread already, for a whole
 * request say, takes part in them: a commit writes what is in it, and a rollback clears it.
 */
final class SpringJoining implements Joining {
    private static final Logger LOG = LoggerFactory.getLogger(SpringJoining.class);

    private final PlatformTransactionManager manager;
    private final DataSource source;
    private final Joining store;
    private final TransactionDefinition definition;
    private final MethodTransaction own;
    private @Nullable Begun begun;
    private boolean shared;

    SpringJoining(
            PlatformTransactionManager manager,
            DataSource source,
            Joining store,
            TransactionDefinition definition,
            MethodTransaction own) {
        this.manager = manager;
        this.source = source;
        this.store = store;
        this.definition = definition;
        this.own = own;
    }

    @Override
    public Transaction begin() {
        Set<Object> sessions = Transactions.sessions();
        TransactionStatus status;
        try {
            status = manager.getTransaction(definition);
            // a transaction that was suspended has taken its own along
            shared = Transactions.sessions().stream().anyMatch(sessions::contains);
        } catch (CannotCreateTransactionException e) {
            throw new StoreException("no transaction could be begun: " + e.getMessage(), e);
        }
        try {
            if (!TransactionSynchronizationManager.hasResource(source)) {
                throw new IllegalStateException("the transactions of " + manager
                        + " are not in the store's database, or do not show their connection");
            }
            Connection connection = DataSourceUtils.getConnection(source);
            Transaction joined = store.join(connection);
            // some databases hold the keys' locks on the connection, which goes back to its pool right after
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int how) {
                    joined.close();
                }
            });
            begun = new Begun(status, connection, joined);
            return begun;
        } catch (RuntimeException e) {
            manager.rollback(status);
            throw e instanceof CannotGetJdbcConnectionException
                    ? new StoreException("no transaction could be begun: " + e.getMessage(), e)
                    : e;
        }
    }

    /** No longer than the method's transaction may take. */
    @Override
    public Duration timeout() {
        Duration own = store.timeout();
        int seconds = definition.getTimeout();
        return seconds >= 0 && own.toSeconds() > seconds ? Duration.ofSeconds(seconds) : own;
    }

    /** Not with the session of the caller, which was cleared. */
    @Override
    public boolean goesOnAfterRollback() {
        return !shared;
    }

    /**
     * A session that is open on the thread is written by the commit, whether the call ran or was replayed. It may hold a connection, as a
     * transaction of the caller's does that is over and still bound: nobody asks for a second one then.
     */
    @Override
    public boolean isNeededForReplays() {
        return !Transactions.sessions().isEmpty() || TransactionSynchronizationManager.hasResource(source);
    }

    /** That of the transaction that was begun last. */
    TransactionStatus status() {
        return Objects.requireNonNull(begun, "begun").status;
    }

    @Override
    public Transaction join(Connection connection) {
        return store.join(connection);
    }

    @Override
    public void confirm(RecordId id, UUID owner) {
        store.confirm(id, owner);
    }

    /**
     * The method has asked for its transaction to be rolled back, and has returned: there is nothing to record, and no failure to count.
     * What is left of it is what is left of a call that never began.
     */
    static final class RolledBackException extends NotBegunException {
        private static final long serialVersionUID = 1;

        RolledBackException() {
            super("rolled back, as the method asked", null);
        }
    }

    private final class Begun implements Transaction {
        private final TransactionStatus status;
        private final Connection connection;
        private final Transaction joined;
        private boolean released;

        Begun(TransactionStatus status, Connection connection, Transaction joined) {
            this.status = status;
            this.connection = connection;
            this.joined = joined;
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public Entry enter(RecordId id) {
            return joined.enter(id);
        }

        @Override
        public boolean write(Claim claim, long fence, Change end) {
            return joined.write(claim, fence, end);
        }

        @Override
        public void commit() {
            // whoever else has the connection, a session that outlives the transaction say, is to keep it
            release();
            if (status.isRollbackOnly() && own.isGivenUp()) {
                manager.rollback(status);
                throw new RolledBackException();
            }
            try {
                manager.commit(status);
            } catch (RuntimeException e) {
                if (joined.conflicts(e)) {
                    throw joined.conflict("committing failed: " + e.getMessage(), e);
                }
                // everything else, a rollback that was asked for say, is certain
                if (isLost(e)) {
                    throw new LostCommitException("committing failed: " + e.getMessage(), e);
                }
                throw own.failed(e);
            }
        }

        /** Of what the caller's session has to write, failures are the caller's: as after any method with a transaction. */
        @Override
        public void leave() {
            release();
            try {
                manager.commit(status);
            } catch (RuntimeException e) {
                if (joined.conflicts(e)) {
                    throw joined.conflict("committing failed: " + e.getMessage(), e);
                }
                if (shared || !isLost(e)) {
                    throw e;
                }
                LOG.warn("A transaction in which nothing was written did not end orderly; its answer is given", e);
            }
        }

        /** Whether the answer of the database was lost. */
        private static boolean isLost(RuntimeException e) {
            return e instanceof TransactionSystemException
                    || e instanceof DataAccessResourceFailureException
                    || e instanceof RecoverableDataAccessException;
        }

        private void release() {
            if (!released) {
                released = true;
                DataSourceUtils.releaseConnection(connection, source);
            }
        }

        @Override
        public boolean conflicts(Throwable failure) {
            return joined.conflicts(failure);
        }

        @Override
        public boolean timedOut(Throwable failure) {
            return joined.timedOut(failure);
        }

        @Override
        public void close() {
            release();
            if (!status.isCompleted()) {
                try {
                    manager.rollback(status);
                } catch (RuntimeException e) {
                    // the database does it itself when it misses the connection; what the call has to tell is not lost
                    // with it
                    LOG.warn("A transaction could not be rolled back", e);
                }
            }
        }
    }
}
