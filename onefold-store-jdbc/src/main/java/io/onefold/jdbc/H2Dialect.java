package io.onefold.jdbc;

import io.onefold.store.RecordId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** H2: for tests and small programs. */
final class H2Dialect extends Dialect {
    private static final int DUPLICATE_KEY = 23505;
    private static final int VALUE_TOO_LONG = 22001;
    private static final int CHECK_VIOLATED = 23513;
    private static final int DEADLOCK = 40001;
    private static final int LOCK_TIMEOUT = 50200;
    private static final int CONCURRENT_UPDATE = 90131;
    private static final int CANCELLED = 57014;
    private static final int CONNECTION_BROKEN = 90067;
    private static final int DATABASE_CLOSED = 90098;
    private static final int DATABASE_CLOSING = 90121;

    /** The index is told before the values, which may read like anything. */
    private static final Pattern PRIMARY = Pattern.compile("^[^\"]*\"[^\"(]*\\bPRIMARY[_ ]KEY\\w* ON ");

    H2Dialect() {
        super("h2", "common.sql", "h2.sql");
    }

    /** H2 would write names without quotes in capitals. */
    @Override
    String quoted(String name) {
        return super.quoted(name.toUpperCase(Locale.ROOT));
    }

    @Override
    boolean isRemote() {
        return false;
    }

    @Override
    SqlErrorKind trouble(SQLException e) {
        return switch (e.getErrorCode()) {
            case DUPLICATE_KEY ->
                PRIMARY.matcher(String.valueOf(e.getMessage())).find() ? SqlErrorKind.DUPLICATE : SqlErrorKind.OTHER;
            case DEADLOCK, CONCURRENT_UPDATE -> SqlErrorKind.CONFLICT;
            case LOCK_TIMEOUT -> SqlErrorKind.LOCK_TIMEOUT;
            case VALUE_TOO_LONG, CHECK_VIOLATED -> SqlErrorKind.REFUSED;
            case CANCELLED -> SqlErrorKind.TIMEOUT;
            case CONNECTION_BROKEN, DATABASE_CLOSED, DATABASE_CLOSING -> SqlErrorKind.CONNECTION;
            default -> SqlErrorKind.OTHER;
        };
    }

    @Override
    LockedRow enter(StatementPreparer statements, Connection connection, TableStatements table, RecordId id)
            throws SQLException {
        return look(lock(statements, connection, table, id), statements, connection, table, id);
    }

    /** A row that is inserted and deleted again: whoever inserts the same one meanwhile would have to wait. */
    private @Nullable Long lock(StatementPreparer statements, Connection connection, TableStatements table, RecordId id)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            int patience;
            try (ResultSet row = statement.executeQuery("call lock_timeout()")) {
                row.next();
                patience = row.getInt(1);
            }
            statement.execute("set lock_timeout 1");
            try {
                String locks = table.beside("onefold_lock");
                lockRow(statements, connection, "insert into " + locks + " (id) values (?)", id);
                lockRow(statements, connection, "delete from " + locks + " where id = ?", id);
                return clock(statements, connection, table);
            } catch (SQLException e) {
                if (e.getErrorCode() == LOCK_TIMEOUT || e.getErrorCode() == CONCURRENT_UPDATE) {
                    return null;
                }
                throw e;
            } finally {
                statement.execute("set lock_timeout " + patience);
            }
        }
    }

    private void lockRow(StatementPreparer statements, Connection connection, String text, RecordId id)
            throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, text)) {
            uuid(statement, 1, id.uuid());
            statement.executeUpdate();
        }
    }

    /** Its clock stands still in a transaction: a claim that had to wait in one could get a fence that is older than the last. */
    @Override
    boolean combines() {
        return false;
    }

    @Override
    int direct() {
        return 1_000;
    }

    @Override
    int lanes() {
        return 1;
    }

    @Override
    @Nullable
    String doubtsAboutDurability(Connection connection) throws SQLException {
        String url = String.valueOf(connection.getMetaData().getURL());
        if (url.startsWith("jdbc:h2:mem:")) {
            return null;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select setting_value from information_schema.settings where setting_name = 'WRITE_DELAY'")) {
            String delay = row.next() ? row.getString(1) : "unknown";
            return delay.equals("0")
                    ? null
                    : "H2 writes to its file with WRITE_DELAY=" + delay
                            + ": a crash can lose what was committed; set WRITE_DELAY 0, or use another database for money";
        }
    }
}
