package io.onefold.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** Holds rows, so that who is at work on them does not get to an end before all duplicates have come. */
final class Hold implements AutoCloseable {
    private final Connection connection;

    /** @param rows the values of keys, by the statements that lock them */
    Hold(DataSource source, Map<String, ?> rows) throws SQLException {
        connection = source.getConnection();
        connection.setAutoCommit(false);
        for (Map.Entry<String, ?> row : List.copyOf(rows.entrySet())) {
            try (PreparedStatement lock = connection.prepareStatement(row.getKey() + " FOR UPDATE")) {
                lock.setObject(1, row.getValue());
                lock.executeQuery().close();
            }
        }
    }

    @Override
    public void close() throws SQLException {
        try (connection) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }
}
