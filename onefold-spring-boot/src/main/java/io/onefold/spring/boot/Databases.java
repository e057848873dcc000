package io.onefold.spring.boot;

import io.onefold.store.Joining;
import io.onefold.store.StoreException;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells whether two ways lead to the same database. */
final class Databases {
    private static final Logger LOG = LoggerFactory.getLogger(Databases.class);

    private Databases() {}

    /** False, too, if either cannot be asked. */
    static boolean isSame(Joining joining, DataSource source) {
        try (Joining.Transaction ours = joining.begin();
                Connection theirs = source.getConnection()) {
            return identity(ours.connection()).equals(identity(theirs));
        } catch (SQLException | StoreException e) {
            LOG.warn("Records cannot join transactions of a database that does not say which it is", e);
            return false;
        }
    }

    private static Identity identity(Connection connection) throws SQLException {
        DatabaseMetaData data = connection.getMetaData();
        return new Identity(
                String.valueOf(data.getURL()),
                String.valueOf(data.getUserName()),
                String.valueOf(connection.getCatalog()),
                String.valueOf(connection.getSchema()));
    }

    private record Identity(String url, String user, String catalog, String schema) {}
}
