package io.onefold.jdbc;

import io.onefold.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database, and the schema in it, that the store was opened on. A connection that leads elsewhere is refused before anything is
 * claimed or written on it. What a database is known by stands beside its records, and stays the same in a new epoch, after a failover
 * and after a restore.
 */
final class RecordsPlace {
    private static final Logger LOG = LoggerFactory.getLogger(RecordsPlace.class);

    /** The drivers' own connections: a pool that is asked for these hands out what it holds. */
    private static final List<Class<?>> PHYSICAL = Stream.of(
                    "org.postgresql.PGConnection",
                    "org.mariadb.jdbc.Connection",
                    "com.mysql.cj.jdbc.JdbcConnection",
                    "org.h2.jdbc.JdbcConnection",
                    "org.sqlite.SQLiteConnection")
            .<Class<?>>flatMap(name -> Stream.ofNullable(named(name)))
            .toList();

    private final Dialect dialect;
    private final Statements statements;
    private final TableSql table;
    private final @Nullable Identity identity;
    private final Map<Connection, Boolean> seen = Collections.synchronizedMap(new WeakHashMap<>());

    private RecordsPlace(Dialect dialect, Statements statements, TableSql table, @Nullable Identity identity) {
        this.dialect = dialect;
        this.statements = statements;
        this.table = table;
        this.identity = identity;
    }

    /**
     * Where this connection leads.
     *
     * @param table the shared one
     */
    static RecordsPlace of(Dialect dialect, Statements statements, TableSql table, Connection connection) {
        Identity identity = null;
        try {
            identity = new RecordsPlace(dialect, statements, table, null).read(connection);
        } catch (SQLException e) {
            LOG.debug("the database does not say which it is", e);
        }
        if (identity == null) {
            LOG.warn(
                    "{} does not say which database this is: connections that lead to another one are not noticed",
                    table.beside(Tables.META));
        }
        return new RecordsPlace(dialect, statements, table, identity);
    }

    /**
     * Checks a connection that was not seen before: a round trip for each that a pool opens, and none for each that it lends.
     *
     * @return whether the database was asked
     */
    boolean check(Connection connection) throws SQLException {
        if (identity == null) {
            return false;
        }
        Connection physical = physical(connection);
        if (seen.containsKey(physical)) {
            return false;
        }
        require(connection, false);
        seen.put(physical, true);
        return true;
    }

    /** Checks a connection whose source may have led it anywhere, and in the session of which the table may be another one. Returns whether the database was asked. */
    boolean checkSession(Connection connection) throws SQLException {
        if (identity != null) {
            require(connection, true);
        }
        return identity != null;
    }

    private void require(Connection connection, boolean session) throws SQLException {
        Identity there;
        try (Watch.Guard guard = statements.watch(connection)) {
            there = read(connection);
        } catch (SQLException e) {
            if (dialect.trouble(e) != Trouble.OTHER) {
                throw e;
            }
            throw new StoreException(table.elsewhere("a database that does not say which it is: " + e.getMessage()), e);
        }
        if (there == null || !there.isSame(Objects.requireNonNull(identity))) {
            throw new StoreException(table.elsewhere("another database" + (there == null ? "" : ", " + there)));
        }
        if (session && !(there.here && dialect.isInSchema(connection, table))) {
            throw table.inOtherSchema();
        }
    }

    private @Nullable Identity read(Connection connection) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, table.get("identity"));
                ResultSet row = statement.executeQuery()) {
            return row.next() ? new Identity(row.getString(1), row.getString(2), row.getInt(3) == 1) : null;
        }
    }

    private static Connection physical(Connection connection) {
        for (Class<?> type : PHYSICAL) {
            try {
                if (connection.isWrapperFor(type)) {
                    return (Connection) connection.unwrap(type);
                }
            } catch (SQLException | RuntimeException e) {
                LOG.trace("a connection does not say what it wraps", e);
            }
        }
        return connection;
    }

    private static @Nullable Class<?> named(String name) {
        try {
            return Class.forName(name, false, RecordsPlace.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /**
     * What a database is known by.
     *
     * @param random made with the tables
     * @param name tells a copy from what it was copied from, where a statement does not name the database
     * @param here whether the table's bare name means this very table in the session
     */
    private record Identity(String random, @Nullable String name, boolean here) {
        boolean isSame(Identity other) {
            return random.equals(other.random) && Objects.equals(name, other.name);
        }

        @Override
        public String toString() {
            return (name == null ? "" : name + " ") + "(" + random + ")";
        }
    }
}
