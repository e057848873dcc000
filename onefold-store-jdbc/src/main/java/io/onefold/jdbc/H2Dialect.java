package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** H2: for tests and small programs. */
final class H2Dialect extends Dialect {
    private static final int DUPLICATE_KEY = 23505;
    private static final int DEADLOCK = 40001;
    private static final int LOCK_TIMEOUT = 50200;
    private static final int CONCURRENT_UPDATE = 90131;
    private static final int CANCELLED = 57014;
    private static final int CONNECTION_BROKEN = 90067;
    private static final int DATABASE_CLOSED = 90098;
    private static final int DATABASE_CLOSING = 90121;

    H2Dialect() {
        super("h2", "common.sql", "h2.sql");
    }

    /** H2 would write names without quotes in capitals. */
    @Override
    String quoted(String name) {
        return super.quoted(name.toUpperCase(Locale.ROOT));
    }

    @Override
    Trouble trouble(SQLException e) {
        return switch (e.getErrorCode()) {
            case DUPLICATE_KEY ->
                String.valueOf(e.getMessage()).contains("PRIMARY") ? Trouble.DUPLICATE : Trouble.OTHER;
            case DEADLOCK, LOCK_TIMEOUT, CONCURRENT_UPDATE -> Trouble.CONFLICT;
            case CANCELLED -> Trouble.TIMEOUT;
            case CONNECTION_BROKEN, DATABASE_CLOSED, DATABASE_CLOSING -> Trouble.CONNECTION;
            default -> Trouble.OTHER;
        };
    }

    @Override
    int direct() {
        return 2;
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
