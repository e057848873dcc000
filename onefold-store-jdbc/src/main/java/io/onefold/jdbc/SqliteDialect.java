package io.onefold.jdbc;

import io.onefold.store.RecordId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** SQLite: one writer at a time, so that writers are combined at once. */
final class SqliteDialect extends Dialect {
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int TOO_BIG = 18;
    private static final int CONSTRAINT = 19;
    /** The driver's exception has only the first byte of the code, but names it in full. */
    private static final String BUSY_SNAPSHOT = "SQLITE_BUSY_SNAPSHOT";

    private static final int FULL = 2;

    SqliteDialect() {
        super("sqlite", "common.sql", "sqlite.sql");
    }

    @Override
    String greatest() {
        return "max";
    }

    @Override
    String orNothing() {
        return "on conflict (id) do nothing";
    }

    @Override
    @Nullable
    String schema(Connection connection, TableStatements table) {
        return null;
    }

    @Override
    boolean isRemote() {
        return false;
    }

    @Override
    SqlErrorKind trouble(SQLException e) {
        return switch (e.getErrorCode() & 0xff) {
            case BUSY -> isOutOfDate(e) ? SqlErrorKind.CONFLICT : SqlErrorKind.LOCK_TIMEOUT;
            case LOCKED -> SqlErrorKind.CONFLICT;
            case TOO_BIG -> SqlErrorKind.REFUSED;
            case CONSTRAINT -> isCheck(e) ? SqlErrorKind.REFUSED : SqlErrorKind.OTHER;
            default -> SqlErrorKind.OTHER;
        };
    }

    /**
     * Returns true if the snapshot of a reader is out of date, so that it cannot write any more. A writer that merely came too late may
     * wait.
     */
    private static boolean isOutOfDate(SQLException e) {
        return String.valueOf(e.getMessage()).contains(BUSY_SNAPSHOT);
    }

    private static boolean isCheck(SQLException e) {
        return String.valueOf(e.getMessage()).contains("SQLITE_CONSTRAINT_CHECK");
    }

    /** It knows one isolation only, and serialises. */
    @Override
    boolean readsCommitted() {
        return false;
    }

    @Override
    LockedRow enter(StatementPreparer statements, Connection connection, TableStatements table, RecordId id)
            throws SQLException {
        return look(lock(statements, connection, table), statements, connection, table, id);
    }

    /** Takes the write lock, which covers the whole database. SQLite itself waits for it, for the busy_timeout of the connection. */
    private @Nullable Long lock(StatementPreparer statements, Connection connection, TableStatements table)
            throws SQLException {
        String write = "update " + table.beside(SchemaManager.META) + " set setting = setting where name = 'epoch'";
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(write);
            return clock(statements, connection, table);
        } catch (SQLException e) {
            if (trouble(e) == SqlErrorKind.LOCK_TIMEOUT || (e.getErrorCode() & 0xff) == LOCKED) {
                return null;
            }
            throw e;
        }
    }

    @Override
    int direct() {
        return 1;
    }

    @Override
    int lanes() {
        return 1;
    }

    @Override
    @Nullable
    String doubtsAboutDurability(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("pragma synchronous")) {
            row.next();
            int synchronous = row.getInt(1);
            return synchronous >= FULL
                    ? null
                    : "SQLite is opened with synchronous=" + synchronous
                            + ": a power failure can lose what was committed; open it with synchronous=FULL";
        }
    }
}
