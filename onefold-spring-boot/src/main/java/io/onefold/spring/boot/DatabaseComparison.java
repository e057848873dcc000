package io.onefold.spring.boot;

import io.onefold.jdbc.JdbcStore;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/** Tells whether two ways lead to the same database. */
final class DatabaseComparison {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseComparison.class);
    private static final boolean JDBC =
            ClassUtils.isPresent("io.onefold.jdbc.JdbcStore", DatabaseComparison.class.getClassLoader());

    private DatabaseComparison() {}

    /** Whether the store has its connections from this very source. */
    static boolean isOn(StoreTransactions joining, DataSource source) {
        return JDBC && JdbcStores.isOn(joining, source);
    }

    /** Asks both, one after the other: they may share a pool of one. False, too, if either cannot be asked. */
    static boolean isSame(StoreTransactions joining, DataSource source) {
        try {
            return ours(joining).equals(theirs(source));
        } catch (SQLException | StoreException e) {
            LOG.warn("Records cannot join transactions of a database that does not say which it is", e);
            return false;
        }
    }

    private static ComparedDatabase ours(StoreTransactions joining) throws SQLException {
        try (StoreTransactions.RecordTransaction transaction = joining.begin()) {
            return ComparedDatabase.of(transaction.connection());
        }
    }

    private static ComparedDatabase theirs(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return ComparedDatabase.of(connection);
        }
    }

    private record ComparedDatabase(String url, String user, String catalog, String schema) {
        static ComparedDatabase of(Connection connection) throws SQLException {
            DatabaseMetaData data = connection.getMetaData();
            return new ComparedDatabase(
                    String.valueOf(data.getURL()),
                    String.valueOf(data.getUserName()),
                    String.valueOf(connection.getCatalog()),
                    String.valueOf(connection.getSchema()));
        }
    }

    private static final class JdbcStores {
        static boolean isOn(StoreTransactions joining, DataSource source) {
            return joining instanceof JdbcStore store && store.isOn(source);
        }
    }
}
