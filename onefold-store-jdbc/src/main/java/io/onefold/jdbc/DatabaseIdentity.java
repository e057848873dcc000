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
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database, and the schema in it, that the store was opened on. A connection that leads elsewhere is refused before anything is
 * claimed or written on it. What a database is known by stands beside its records, and stays the same in a new epoch, after a failover
 * and after a restore.
 */
final class DatabaseIdentity {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseIdentity.class);

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
    private final StatementPreparer statements;
    private final TableStatements table;
    private final @Nullable IdentityRow identity;
    private final String question;

    /** The latest timeline that was seen of each cluster. */
    private final Map<String, String> latest = new ConcurrentHashMap<>();

    /** The timeline that each connection led to when it was checked. */
    private final Map<Connection, Timeline> seen = Collections.synchronizedMap(new WeakHashMap<>());

    private DatabaseIdentity(
            Dialect dialect,
            StatementPreparer statements,
            TableStatements table,
            String question,
            @Nullable IdentityRow identity) {
        this.dialect = dialect;
        this.statements = statements;
        this.table = table;
        this.question = question;
        this.identity = identity;
    }

    /**
     * Finds the database that this connection leads to. A database that cannot answer one question is asked the next one, which asks for
     * less.
     *
     * @param table the shared one
     */
    static DatabaseIdentity of(
            Dialect dialect, StatementPreparer statements, TableStatements table, Connection connection)
            throws SQLException {
        SQLException unanswered = null;
        for (String question : dialect.identityQuestions()) {
            try {
                IdentityRow identity =
                        new DatabaseIdentity(dialect, statements, table, question, null).read(connection);
                if (identity != null && unanswered != null) {
                    LOG.info(
                            "Cannot read the WAL timeline ({}); a former primary that is still connected is not noticed",
                            unanswered.getMessage());
                }
                if (identity != null) {
                    return new DatabaseIdentity(dialect, statements, table, question, identity);
                }
            } catch (SQLException e) {
                if (dialect.trouble(e) != SqlErrorKind.OTHER) {
                    throw e;
                }
                LOG.debug("Cannot run the statement \"{}\"; asking for less", question, e);
                unanswered = unanswered == null ? e : unanswered;
            }
        }
        LOG.warn(
                "{} does not say which database this is: connections that lead to another one are not noticed",
                table.beside(SchemaManager.META));
        return new DatabaseIdentity(dialect, statements, table, "identity", null);
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
        Timeline before = seen.get(physical);
        if (before != null && before.number.equals(latest.get(before.cluster))) {
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
    private Timeline require(Connection connection, boolean session) throws SQLException {
        IdentityRow there;
        try (StepWatchdog guard = statements.watch(connection)) {
            there = read(connection);
        } catch (SQLException e) {
            if (dialect.trouble(e) != SqlErrorKind.OTHER) {
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
            throw new StoreException(table.elsewhere(
                    "a standby, which may lack records", "Give the store connections that lead to the primary alone"));
        }
        String last = latest.merge(there.timeline.cluster, there.timeline.number, DatabaseIdentity::later);
        if (!last.equals(there.timeline.number)) {
            throw new FormerPrimaryException(table.elsewhere(
                    "a former primary: its timeline is " + there.timeline.number + ", and a server with timeline "
                            + last + " has taken over from it",
                    "Stop the former primary. If the database was restored from an older copy, restart this process"));
        }
        return there.timeline;
    }

    private static String later(String one, String other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private @Nullable IdentityRow read(Connection connection) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, table.get(question));
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return null;
            }
            int columns = row.getMetaData().getColumnCount();
            return new IdentityRow(
                    row.getString(1),
                    row.getString(2),
                    row.getInt(3) == 1,
                    columns > 3 && row.getInt(4) == 1,
                    columns > 5 ? new Timeline(row.getString(5), row.getString(6)) : new Timeline("", ""));
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
            return Class.forName(name, false, DatabaseIdentity.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /**
     * The identity of a database.
     *
     * @param random made with the tables
     * @param name tells a copy from its original, where a statement does not name the database
     * @param here true if the table's bare name means this very table in the session
     * @param standby true if it follows another server
     * @param timeline with empty texts if the database has none, or does not tell it
     */
    private record IdentityRow(String random, @Nullable String name, boolean here, boolean standby, Timeline timeline) {
        boolean isSame(IdentityRow other) {
            return random.equals(other.random) && Objects.equals(name, other.name);
        }

        @Override
        public String toString() {
            return (name == null ? "" : name + " ") + "(" + random + ")";
        }
    }

    /**
     * A timeline of PostgreSQL's write-ahead log.
     *
     * @param cluster whose timeline it is; only timelines of one cluster are compared, since an upgrade makes another one, which begins anew
     * @param number eight hexadecimal digits, in capitals, that grow with each promotion
     */
    private record Timeline(String cluster, String number) {}
}
