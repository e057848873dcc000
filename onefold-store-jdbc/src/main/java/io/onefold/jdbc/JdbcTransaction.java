package io.onefold.jdbc;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ConflictingTransactionException;
import io.onefold.store.Joining;
import io.onefold.store.Payload;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.StoreException;
import io.onefold.store.Take;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records in the transaction of the effect. */
final class JdbcTransaction implements Joining.Transaction {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcTransaction.class);

    private static final int MAX_CAUSES = 50;

    private final Connection connection;
    private final boolean own;
    private final boolean autoCommit;
    private final Dialect dialect;
    private final Statements statements;
    private final Function<RecordId, TableSql> tables;
    private final List<RecordId> locked = new ArrayList<>();
    private boolean over;

    /**
     * @param own the store began it, will commit it, and has borrowed the connection for it
     * @param autoCommit what a borrowed connection was set to
     */
    JdbcTransaction(Connection connection, boolean own, boolean autoCommit, Backing backing) {
        this.connection = connection;
        this.own = own;
        this.autoCommit = autoCommit;
        this.dialect = backing.dialect();
        this.statements = backing.statements();
        this.tables = backing.tables();
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public Joining.Entry enter(RecordId id) {
        TableSql table = tables.apply(id);
        return step("entering " + id, () -> {
            Long now = dialect.lock(statements, connection, table, id);
            if (now != null) {
                locked.add(id);
            }
            Seen seen = now != null || dialect.readsPastOthers(connection)
                    ? dialect.find(statements, connection, table, id)
                    : null;
            if (seen != null) {
                id.requireSame(seen.record().id());
            }
            if (own && connection.getAutoCommit()) {
                connection.setAutoCommit(false);
            }
            long fence = Math.max(
                    now == null ? 0 : now, seen == null ? 0 : seen.record().fence() + 1);
            return new Joining.Entry(now != null, seen, fence);
        });
    }

    @Override
    public boolean write(Claim claim, long fence, Change end) {
        TableSql table = tables.apply(claim.id());
        Alteration to = Alteration.of(end);
        return step("writing " + claim.id(), () -> {
            Take take = claim.take();
            return take == null ? insert(table, claim, fence, to) : replace(table, claim, take, fence, to);
        });
    }

    private boolean insert(TableSql table, Claim claim, long fence, Alteration to) throws SQLException {
        try (PreparedStatement insert = statements.prepare(connection, table.get("finish"))) {
            int at = bind(insert, claim, fence, to);
            dialect.uuid(insert, at++, claim.id().uuid());
            insert.setString(at++, claim.id().scope());
            insert.setString(at++, claim.id().operation());
            insert.setString(at++, claim.id().key());
            for (RecordTable.Column column : table.table().columns()) {
                insert.setObject(at++, column.value().apply(claim));
            }
            return dialect.insertUnlessThere(insert);
        }
    }

    private boolean replace(TableSql table, Claim claim, Take take, long fence, Alteration to) throws SQLException {
        String text = table.get(
                "replace when " + take.grounds(),
                () -> dialect.sql().get("replace") + " " + dialect.sql().get("take " + take.grounds()));
        try (PreparedStatement replace = statements.prepare(connection, text)) {
            int at = bind(replace, claim, fence, to);
            replace.setInt(at++, take.startsAnew() ? 1 : 0);
            dialect.uuid(replace, at++, claim.id().uuid());
            at = Singles.bindNames(replace, at, claim.id());
            replace.setLong(at, take.fence());
            return replace.executeUpdate() == 1;
        }
    }

    private int bind(PreparedStatement statement, Claim claim, long fence, Alteration to) throws SQLException {
        Payload payload = to.payload();
        int at = 1;
        dialect.uuid(statement, at++, claim.owner());
        statement.setLong(at++, fence);
        statement.setLong(at++, to.keep());
        Dialect.setLong(statement, at++, to.tombstone() > 0 ? (Long) (to.keep() + to.tombstone()) : null);
        statement.setInt(at++, claim.attempts());
        statement.setInt(at++, to.to().code());
        statement.setBytes(at++, claim.print().hash());
        statement.setBytes(at++, claim.print().fields());
        statement.setBytes(at++, Format.joined(claim.superseded()));
        statement.setString(at++, Format.of(payload));
        statement.setBytes(at++, payload == null ? null : payload.bytes());
        statement.setBytes(at++, to.resumes() ? claim.checkpoint() : null);
        statement.setString(at++, claim.bizId());
        return at;
    }

    @Override
    public void commit() {
        step("committing", () -> {
            connection.commit();
            over = true;
            return true;
        });
    }

    @Override
    public boolean conflicts(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++, cause = cause.getCause()) {
            if (cause instanceof ConflictingTransactionException
                    || (cause instanceof SQLException e && dialect.trouble(e) == Trouble.CONFLICT)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        boolean sound = !own || over || quietly("rolled back", this::rollBack);
        for (RecordId id : locked) {
            sound &= quietly("unlocked", () -> dialect.unlock(statements, connection, id));
        }
        locked.clear();
        if (own) {
            if (sound) {
                quietly("restored", () -> connection.setAutoCommit(autoCommit));
            } else {
                // switching auto-commit on would commit what could not be rolled back, and a pool would hand a lock on
                quietly("aborted", () -> connection.abort(Runnable::run));
            }
            quietly("closed", connection::close);
        }
    }

    private void rollBack() throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }

    private static boolean quietly(String what, Ending ending) {
        try {
            ending.run();
            return true;
        } catch (SQLException | RuntimeException e) {
            LOG.debug("a connection was not {}", what, e);
            return false;
        }
    }

    private <T> T step(String what, Step<T> step) {
        try {
            return step.run();
        } catch (SQLException e) {
            if (dialect.trouble(e) == Trouble.CONFLICT) {
                throw new ConflictingTransactionException(what + ": " + e.getMessage(), e);
            }
            throw new StoreException(what + " failed: " + e.getMessage(), e);
        }
    }

    private interface Step<T> {
        T run() throws SQLException;
    }

    private interface Ending {
        void run() throws SQLException;
    }
}
