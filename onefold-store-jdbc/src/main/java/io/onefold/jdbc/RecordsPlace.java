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
    private final String question;

    /** The latest that was seen. */
    private volatile String timeline;

    /** The timeline of each connection when it was checked. */
    private final Map<Connection, String> seen = Collections.synchronizedMap(new WeakHashMap<>());

    private RecordsPlace(
            Dialect dialect, Statements statements, TableSql table, String question, @Nullable Identity identity) {
        this.dialect = dialect;
        this.statements = statements;
        this.table = table;
        this.question = question;
        this.identity = identity;
        this.timeline = identity == null ? "" : identity.timeline;
    }

    /**
     * Where this connection leads.
     *
     * @param table the shared one
     */
    static RecordsPlace of(Dialect dialect, Statements statements, TableSql table, Connection connection) {
        String withTimeline = dialect.identityWithTimeline();
        if (withTimeline != null) {
            RecordsPlace place = asked(dialect, statements, table, withTimeline, connection);
            if (place.identity != null) {
                return place;
            }
        }
        RecordsPlace place = asked(dialect, statements, table, "identity", connection);
        if (place.identity == null) {
            LOG.warn(
                    "{} does not say which database this is: connections that lead to another one are not noticed",
                    table.beside(Tables.META));
        }
        return place;
    }

    private static RecordsPlace asked(
            Dialect dialect, Statements statements, TableSql table, String question, Connection connection) {
        Identity identity = null;
        try {
            identity = new RecordsPlace(dialect, statements, table, question, null).read(connection);
        } catch (SQLException e) {
            LOG.debug("the database does not answer the question \"{}\"", question, e);
        }
        return new RecordsPlace(dialect, statements, table, question, identity);
    }

    /**
     * Checks a connection that was not seen before: a round trip for each that a pool opens, and none for each that it lends. When a
     * connection leads to a later timeline, a standby was promoted: then all others are checked again.
     *
     * @return whether the database was asked
     */
    boolean check(Connection connection) throws SQLException {
        if (identity == null) {
            return false;
        }
        Connection physical = physical(connection);
        if (timeline.equals(seen.get(physical))) {
            return false;
        }
        seen.put(physical, require(connection, false));
        return true;
    }

    /** Checks a connection whose source may have led it anywhere, and in the session of which the table may be another one. Returns whether the database was asked. */
    boolean checkSession(Connection connection) throws SQLException {
        if (identity != null) {
            require(connection, true);
        }
        return identity != null;
    }

    /** Returns the timeline that the connection leads to. */
    private String require(Connection connection, boolean session) throws SQLException {
        Identity there;
        try (StepGuard guard = statements.watch(connection)) {
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
        if (there.standby) {
            throw new StoreException(table.elsewhere("a standby, which may lack records"));
        }
        String latest = latest(there.timeline);
        if (!latest.equals(there.timeline)) {
            throw new FormerPrimaryException(table.elsewhere("a former primary: its timeline is " + there.timeline
                    + ", and a server with timeline " + latest + " has taken over from it"));
        }
        return latest;
    }

    private synchronized String latest(String found) {
        if (found.compareTo(timeline) > 0) {
            timeline = found;
        }
        return timeline;
    }

    private @Nullable Identity read(Connection connection) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, table.get(question));
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return null;
            }
            boolean timed = row.getMetaData().getColumnCount() > 3;
            String found = timed ? row.getString(4) : "";
            return new Identity(
                    row.getString(1), row.getString(2), row.getInt(3) == 1, found, timed && found.isEmpty());
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
     * @param timeline eight hexadecimal digits that grow with each promotion; empty where there is none
     */
    private record Identity(String random, @Nullable String name, boolean here, String timeline, boolean standby) {
        boolean isSame(Identity other) {
            return random.equals(other.random) && Objects.equals(name, other.name);
        }

        @Override
        public String toString() {
            return (name == null ? "" : name + " ") + "(" + random + ")";
        }
    }
}
