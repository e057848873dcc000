package io.onefold.jdbc;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ColumnUpdate;
import io.onefold.store.CommitUnknownException;
import io.onefold.store.PayloadRejectedException;
import io.onefold.store.RecordId;
import io.onefold.store.RecordLockTimeoutException;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import io.onefold.store.Takeover;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import io.onefold.store.TransactionConflictException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records in the transaction of the effect. */
final class JdbcTransaction implements StoreTransactions.RecordTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcTransaction.class);

    private static final int MAX_CAUSES = 50;

    private final Connection connection;
    private final boolean own;
    private final boolean autoCommit;
    private final @Nullable DatabaseIdentity place;
    private final Dialect dialect;
    private final StatementPreparer statements;
    private final Function<RecordId, TableStatements> tables;
    private final List<RecordId> locked = new ArrayList<>();
    private boolean over;

    /**
     * @param own the store began it, will commit it, and has borrowed the connection for it
     * @param autoCommit what a borrowed connection was set to
     */
    JdbcTransaction(Connection connection, boolean own, boolean autoCommit, JdbcContext backing) {
        this.connection = connection;
        this.own = own;
        this.autoCommit = autoCommit;
        this.dialect = backing.dialect();
        this.statements = backing.statements();
        this.tables = backing.tables();
        this.place = null;
    }

    /**
     * In a transaction of the caller's.
     *
     * @param place that the connection must lead to
     */
    JdbcTransaction(Connection connection, DatabaseIdentity place, JdbcContext backing) {
        this.connection = connection;
        this.own = false;
        this.autoCommit = false;
        this.dialect = backing.dialect();
        this.statements = backing.statements();
        this.tables = backing.tables();
        this.place = place;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public StoreTransactions.RecordLockResult enter(RecordId id) {
        TableStatements table = tables.apply(id);
        return step(() -> "entering " + id, () -> {
            if (!dialect.isInSchema(connection, table)) {
                throw table.inOtherSchema();
            }
            boolean after = dialect.locksSession();
            if (place != null && !after) {
                place.check(connection);
            }
            Dialect.LockedRow met = dialect.enter(statements, connection, table, id);
            Long lockedAt = met.lockedAt();
            RecordSnapshot seen = met.seen();
            if (lockedAt != null) {
                locked.add(id);
            }
            if (place != null && after) {
                // not before the lock: what others have committed until then would not be seen
                place.check(connection);
            }
            if (seen != null) {
                id.requireSame(seen.record().id());
            }
            if (own && connection.getAutoCommit()) {
                connection.setAutoCommit(false);
            }
            long fence = Math.max(
                    lockedAt == null ? 0 : lockedAt,
                    seen == null ? met.floor() : seen.record().fence() + 1);
            return new StoreTransactions.RecordLockResult(lockedAt != null, seen, fence);
        });
    }

    @Override
    public boolean write(Claim claim, long fence, Change end) {
        TableStatements table = tables.apply(claim.id());
        ColumnUpdate to = ColumnUpdate.of(end);
        TransactionStep<Boolean> step = () -> {
            if (to.frees() && restored(table, claim, fence)) {
                return true;
            }
            try (PreparedStatement write = statements.prepare(connection, text(table, claim.take(), false))) {
                bind(write, table, claim, fence, to);
                return claim.take() == null ? dialect.insertUnlessThere(write) : write.executeUpdate() == 1;
            }
        };
        return step(() -> "writing " + claim.id(), () -> orRefused(claim.id(), to.payload(), step));
    }

    /** Puts the earlier end back, if the claim was to take over from an attempt that overwrites. Returns whether it did. */
    private boolean restored(TableStatements table, Claim claim, long fence) throws SQLException {
        Takeover take = claim.take();
        if (take == null || (take.grounds() != TakeoverReason.LEASE_OVER && take.grounds() != TakeoverReason.UNKNOWN)) {
            return false;
        }
        RecordSnapshot seen = dialect.find(statements, connection, table, claim.id());
        if (seen == null || !take.allows(seen.record(), seen.now())) {
            return false;
        }
        Status from = seen.record().status();
        Ticket own = new Ticket(claim.id(), claim.owner(), fence);
        return new OverwrittenRecords(dialect, statements)
                .restore(connection, table, seen.record().ticket(), own.withdrawn(), fence, from, from);
    }

    /**
     * Runs a step that writes a payload. If the payload is refused, the transaction is as it was before.
     *
     * @throws PayloadRejectedException if it is refused, and the transaction stands
     */
    private boolean orRefused(RecordId id, @Nullable ResultPayload payload, TransactionStep<Boolean> write)
            throws SQLException {
        if (payload != null && dialect.refuses(statements, connection, payload)) {
            throw SingleStatements.refused(id, null);
        }
        Savepoint before = dialect.beforeWriting(connection, payload);
        boolean written;
        try {
            written = write.run();
        } catch (SQLException e) {
            if (payload != null && dialect.trouble(e) == SqlErrorKind.REFUSED && stands(before, e)) {
                throw SingleStatements.refused(id, e);
            }
            throw e;
        }
        if (before != null && written && !over) {
            connection.releaseSavepoint(before);
        }
        return written;
    }

    private boolean stands(@Nullable Savepoint before, SQLException refusal) throws SQLException {
        if (before != null) {
            connection.rollback(before);
            return true;
        }
        // who was sent too much may have hung up
        return dialect.standsAfterFailure()
                && !String.valueOf(refusal.getSQLState()).startsWith("08");
    }

    @Override
    public boolean writeAndCommit(Claim claim, long fence, Change end) {
        if (!dialect.commitsAlong() || end instanceof Change.Release) {
            return StoreTransactions.RecordTransaction.super.writeAndCommit(claim, fence, end);
        }
        TableStatements table = tables.apply(claim.id());
        ColumnUpdate to = ColumnUpdate.of(end);
        TransactionStep<Boolean> step = () -> {
            try (PreparedStatement write = statements.prepare(connection, text(table, claim.take(), true))) {
                bind(write, table, claim, fence, to);
                write.execute();
                over = true;
                return true;
            } catch (SQLException e) {
                if (dialect.trouble(e) == SqlErrorKind.DUPLICATE) {
                    return false;
                }
                throw e;
            }
        };
        return lastStep(
                () -> "writing and committing " + claim.id(),
                () -> orRefused(claim.id(), to.payload(), step),
                trouble -> trouble == SqlErrorKind.CONNECTION);
    }

    /** The one that commits is known by what it writes. */
    private String text(TableStatements table, @Nullable Takeover take, boolean commits) {
        String write = take == null ? table.get("finish") : table.taking("replace", take.grounds());
        return commits ? table.get(write, () -> dialect.sql().get("and commit").replace("{write}", write)) : write;
    }

    private void bind(PreparedStatement write, TableStatements table, Claim claim, long fence, ColumnUpdate to)
            throws SQLException {
        int at = bindEnd(write, claim, fence, to);
        Takeover take = claim.take();
        if (take != null) {
            write.setInt(at++, take.startsAnew() ? 1 : 0);
            dialect.uuid(write, at++, claim.id().uuid());
            at = SingleStatements.bindNames(write, at, claim.id());
            write.setLong(at, take.fence());
            return;
        }
        dialect.uuid(write, at++, claim.id().uuid());
        write.setString(at++, claim.id().scope());
        write.setString(at++, claim.id().operation());
        write.setString(at++, claim.id().key());
        for (RecordTable.TableColumn column : table.table().columns()) {
            write.setObject(at++, column.value().apply(claim));
        }
    }

    private int bindEnd(PreparedStatement statement, Claim claim, long fence, ColumnUpdate to) throws SQLException {
        ResultPayload payload = to.payload();
        int at = 1;
        dialect.uuid(statement, at++, claim.owner());
        statement.setLong(at++, fence);
        statement.setLong(at++, to.keep());
        Dialect.setLong(statement, at++, to.tombstone() > 0 ? (Long) (to.keep() + to.tombstone()) : null);
        statement.setInt(at++, claim.attempts());
        statement.setInt(at++, to.to().code());
        statement.setBytes(at++, claim.print().hash());
        statement.setBytes(at++, claim.print().fields());
        statement.setBytes(at++, ColumnFormat.joined(claim.superseded()));
        statement.setString(at++, ColumnFormat.of(payload));
        statement.setBytes(at++, payload == null ? null : payload.bytes());
        statement.setBytes(at++, to.resumes() ? claim.checkpoint() : null);
        statement.setString(at++, claim.bizId());
        return at;
    }

    @Override
    public void commit() {
        TransactionStep<Boolean> step = () -> {
            connection.commit();
            over = true;
            return true;
        };
        lastStep(() -> "committing", step, trouble -> true);
    }

    @Override
    public boolean conflicts(Throwable failure) {
        return isAny(
                failure,
                cause -> cause instanceof TransactionConflictException
                        || isTrouble(cause, SqlErrorKind.CONFLICT)
                        || isTrouble(cause, SqlErrorKind.LOCK_TIMEOUT));
    }

    @Override
    public boolean timedOut(Throwable failure) {
        return isAny(
                failure,
                cause -> cause instanceof RecordLockTimeoutException || isTrouble(cause, SqlErrorKind.LOCK_TIMEOUT));
    }

    private static boolean isAny(Throwable failure, Predicate<Throwable> which) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++, cause = cause.getCause()) {
            if (which.test(cause)) {
                return true;
            }
        }
        return false;
    }

    private boolean isTrouble(Throwable cause, SqlErrorKind trouble) {
        return cause instanceof SQLException e && dialect.trouble(e) == trouble;
    }

    @Override
    public void close() {
        boolean sound = !own || over || quietly("rolled back", this::rollBack);
        for (RecordId id : locked) {
            sound &= quietly("unlocked", () -> unlock(id));
        }
        locked.clear();
        if (own) {
            if (sound) {
                quietly("restored", this::restore);
            } else {
                // switching auto-commit on would commit what could not be rolled back, and a pool would hand a lock on
                quietly("aborted", () -> connection.abort(Runnable::run));
            }
            quietly("closed", connection::close);
        }
    }

    private void unlock(RecordId id) throws SQLException {
        try (StepWatchdog guard = statements.watch(connection)) {
            dialect.unlock(statements, connection, id);
        }
    }

    private void rollBack() throws SQLException {
        if (!connection.getAutoCommit()) {
            try (StepWatchdog guard = statements.watchEnd(connection)) {
                connection.rollback();
            }
        }
    }

    private void restore() throws SQLException {
        if (connection.getAutoCommit() != autoCommit) {
            try (StepWatchdog guard = statements.watchEnd(connection)) {
                connection.setAutoCommit(autoCommit);
            }
        }
    }

    private static boolean quietly(String what, ConnectionEnd ending) {
        try {
            ending.run();
            return true;
        } catch (SQLException | RuntimeException e) {
            LOG.debug("a connection was not {}", what, e);
            return false;
        }
    }

    private <T> T step(Supplier<String> what, TransactionStep<T> step) {
        TransactionStep<T> watched = () -> {
            try (StepWatchdog guard = statements.watch(connection)) {
                return step.run();
            }
        };
        return told(what, watched, trouble -> false);
    }

    /**
     * A step that commits. It is never cancelled: PostgreSQL would then report success for a commit that a standby lacks.
     *
     * @param lost whether with this trouble it may have happened
     */
    private boolean lastStep(Supplier<String> what, TransactionStep<Boolean> step, Predicate<SqlErrorKind> lost) {
        TransactionStep<Boolean> watched = () -> {
            try (StepWatchdog guard = statements.watchEnd(connection)) {
                return step.run();
            }
        };
        return told(what, watched, lost);
    }

    private <T> T told(Supplier<String> what, TransactionStep<T> step, Predicate<SqlErrorKind> lost) {
        try {
            return step.run();
        } catch (SQLException e) {
            String message = what.get() + " failed: " + e.getMessage();
            SqlErrorKind trouble = dialect.trouble(e);
            if (trouble == SqlErrorKind.CONFLICT || trouble == SqlErrorKind.LOCK_TIMEOUT) {
                throw conflict(message, e);
            }
            throw lost.test(trouble) ? new CommitUnknownException(message, e) : new StoreException(message, e);
        }
    }

    private interface TransactionStep<T> {
        T run() throws SQLException;
    }

    private interface ConnectionEnd {
        void run() throws SQLException;
    }
}
