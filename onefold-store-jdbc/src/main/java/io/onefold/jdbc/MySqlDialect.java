package io.onefold.jdbc;

import io.onefold.store.RecordId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** MySQL: an insert, and a look at what is there. */
class MySqlDialect extends Dialect {
    private static final int CHECKREAD = 1020;
    private static final int SHUTTING_DOWN = 1053;
    private static final int DUPLICATE_KEY = 1062;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final int DEADLOCK = 1213;
    private static final int INTERRUPTED = 1317;
    private static final int STATEMENT_TIME_MARIADB = 1969;
    private static final int STATEMENT_TIME = 3024;

    /** Told as 'PRIMARY' or 'table.PRIMARY', after the value, which may read like anything. */
    private static final Pattern PRIMARY = Pattern.compile("'([^']*\\.)?PRIMARY'$");

    MySqlDialect() {
        this("mysql", "common.sql", "mysql.sql");
    }

    MySqlDialect(String name, String... files) {
        super(name, files);
    }

    @Override
    String quoted(String name) {
        return '`' + name.replace(".", "`.`") + '`';
    }

    @Override
    Trouble trouble(SQLException e) {
        return switch (e.getErrorCode()) {
            case DUPLICATE_KEY ->
                PRIMARY.matcher(String.valueOf(e.getMessage())).find() ? Trouble.DUPLICATE : Trouble.OTHER;
            case DEADLOCK, LOCK_WAIT_TIMEOUT, CHECKREAD -> Trouble.CONFLICT;
            case STATEMENT_TIME, STATEMENT_TIME_MARIADB, INTERRUPTED -> Trouble.TIMEOUT;
            case SHUTTING_DOWN -> Trouble.CONNECTION;
            default -> byClass(e);
        };
    }

    private static Trouble byClass(SQLException e) {
        String state = e.getSQLState();
        if (e instanceof SQLTransientConnectionException
                || e instanceof SQLNonTransientConnectionException
                || (state != null && state.startsWith("08"))) {
            return Trouble.CONNECTION;
        }
        return e instanceof SQLTimeoutException ? Trouble.TIMEOUT : Trouble.OTHER;
    }

    /** The lock belongs to the session, not to its transaction, so it is given back when that is over. */
    @Override
    @Nullable
    Long lock(Statements statements, Connection connection, TableSql table, RecordId id) throws SQLException {
        try (PreparedStatement lock = statements.prepare(connection, table.get("lock"))) {
            lock.setString(1, lockName(id));
            try (ResultSet row = lock.executeQuery()) {
                return row.next() && row.getInt(1) == 1 ? row.getLong(2) : null;
            }
        }
    }

    @Override
    void unlock(Statements statements, Connection connection, RecordId id) throws SQLException {
        try (PreparedStatement unlock = statements.prepare(connection, "do release_lock(?)")) {
            unlock.setString(1, lockName(id));
            unlock.execute();
        }
    }

    @Override
    boolean locksSession() {
        return true;
    }

    /** InnoDB's SERIALIZABLE reads with locks, but for statements on their own. */
    @Override
    boolean readsPastOthers(Connection connection) throws SQLException {
        return connection.getAutoCommit()
                || connection.getTransactionIsolation() != Connection.TRANSACTION_SERIALIZABLE;
    }

    private static String lockName(RecordId id) {
        return "onefold:" + id.uuid();
    }

    @Override
    int direct() {
        return 8;
    }

    @Override
    int lanes() {
        return 1;
    }
}
