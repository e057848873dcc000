package io.onefold.spring;

import io.onefold.WorkNotStartedException;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.CommitUnknownException;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
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
 * Transactions that Spring begins and ends, with records of the store in them. If a session is already open on the thread, for example for
 * a whole request, it takes part: a commit writes its changes, and a rollback clears it.
 */
final class SpringStoreTransactions implements StoreTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(SpringStoreTransactions.class);

    private final PlatformTransactionManager manager;
    private final DataSource source;
    private final StoreTransactions store;
    private final TransactionDefinition definition;
    private final MethodTransaction own;
    private @Nullable StartedTransaction begun;
    private boolean shared;

    SpringStoreTransactions(
            PlatformTransactionManager manager,
            DataSource source,
            StoreTransactions store,
            TransactionDefinition definition,
            MethodTransaction own) {
        this.manager = manager;
        this.source = source;
        this.store = store;
        this.definition = definition;
        this.own = own;
    }

    @Override
    public RecordTransaction begin() {
        Set<Object> sessions = TransactionDetector.sessions();
        TransactionStatus status;
        try {
            status = manager.getTransaction(definition);
            // a suspended transaction has taken its sessions along
            shared = TransactionDetector.sessions().stream().anyMatch(sessions::contains);
        } catch (CannotCreateTransactionException e) {
            throw new StoreException("no transaction could be begun: " + e.getMessage(), e);
        }
        try {
            if (!TransactionSynchronizationManager.hasResource(source)) {
                throw new IllegalStateException("the transactions of " + manager
                        + " are not in the store's database, or do not show their connection");
            }
            Connection connection = DataSourceUtils.getConnection(source);
            RecordTransaction joined = store.join(connection);
            // some databases hold the keys' locks on the connection, which goes back to its pool right after
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int how) {
                    joined.close();
                }
            });
            begun = new StartedTransaction(status, connection, joined);
            return begun;
        } catch (RuntimeException e) {
            manager.rollback(status);
            throw e instanceof CannotGetJdbcConnectionException
                    ? new StoreException("no transaction could be begun: " + e.getMessage(), e)
                    : e;
        }
    }

    /** The timeout is at most that of the method's transaction. */
    @Override
    public Duration timeout() {
        Duration own = store.timeout();
        int seconds = definition.getTimeout();
        return seconds >= 0 && own.toSeconds() > seconds ? Duration.ofSeconds(seconds) : own;
    }

    /** Returns false if the caller's session took part, since the rollback has cleared it. */
    @Override
    public boolean goesOnAfterRollback() {
        return !shared;
    }

    /**
     * Returns true if a session is open on the thread: the commit writes it, whether the call ran or was replayed. The session may hold a
     * connection, as a finished transaction of the caller does that is still bound. Then no second connection is needed.
     */
    @Override
    public boolean isNeededForReplays() {
        return !TransactionDetector.sessions().isEmpty() || TransactionSynchronizationManager.hasResource(source);
    }

    /** The status of the transaction that was begun last. */
    TransactionStatus status() {
        return Objects.requireNonNull(begun, "begun").status;
    }

    @Override
    public RecordTransaction join(Connection connection) {
        return store.join(connection);
    }

    @Override
    public void confirm(RecordId id, UUID owner) {
        store.confirm(id, owner);
    }

    /**
     * The method has asked for a rollback of its transaction, and has returned. There is nothing to record, and no failure to count. The
     * state is the same as after a call that never began.
     */
    static final class RolledBackException extends WorkNotStartedException {
        private static final long serialVersionUID = 1;

        RolledBackException() {
            super("rolled back, as the method asked", null);
        }
    }

    private final class StartedTransaction implements RecordTransaction {
        private final TransactionStatus status;
        private final Connection connection;
        private final RecordTransaction joined;
        private boolean released;

        StartedTransaction(TransactionStatus status, Connection connection, RecordTransaction joined) {
            this.status = status;
            this.connection = connection;
            this.joined = joined;
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public RecordLockResult enter(RecordId id) {
            return joined.enter(id);
        }

        @Override
        public boolean write(Claim claim, long fence, Change end) {
            return joined.write(claim, fence, end);
        }

        @Override
        public void commit() {
            // another user of the connection, such as a session that outlives the transaction, keeps it
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
                // all other failures, such as a requested rollback, are certain
                if (isLost(e)) {
                    throw new CommitUnknownException("committing failed: " + e.getMessage(), e);
                }
                throw own.failed(e);
            }
        }

        /** Commits. Failures to write the caller's session are the caller's, as after any transactional method. */
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

        /** Returns true if the reply of the database was lost. */
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
                    // the database rolls back by itself when it loses the connection; the exception of the call must
                    // not be lost
                    LOG.warn("A transaction could not be rolled back", e);
                }
            }
        }
    }
}
