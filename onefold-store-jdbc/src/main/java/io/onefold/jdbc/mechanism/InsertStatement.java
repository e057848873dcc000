package io.onefold.jdbc.mechanism;

import io.onefold.jdbc.mechanism.ColumnValues.ColumnValue;
import io.onefold.jdbc.mechanism.DatabaseSyntax.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An insert that comes first and asks afterwards.
 *
 * <p>PostgreSQL and SQLite take {@code on conflict (key) do nothing}, which minds this key alone and leaves the transaction usable.
 *
 * <p>MariaDB and MySQL take {@code on duplicate key update} that changes nothing. It locks the row exclusively; a plain insert that
 * fails would share the lock, and two who then update the row would deadlock. How many rows it says to have affected depends on a
 * setting of the driver, so the update leaves a mark where the driver looks for a generated id. It minds every unique key:
 * if no row is found under ours, it was another, and a plain insert makes the database say which.
 *
 * <p>H2 takes a plain insert, whose failure leaves the transaction usable.
 */
final class InsertStatement {
    private static final int H2_DUPLICATE = 23505;
    private static final Pattern H2_INDEX_COLUMNS = Pattern.compile(" ON [^(]*\\(([^)]*)\\)");

    /** No table has generated as many ids as this. */
    private static final long MET = Long.MAX_VALUE;

    private final Connection connection;
    private final DatabaseSyntax database;
    private final SqlName table;
    private final List<SqlName> key;
    private final ColumnValues row;

    InsertStatement(Connection connection, SqlName table, List<SqlName> key, ColumnValues row) throws SQLException {
        this.connection = connection;
        this.database = DatabaseSyntax.of(connection);
        this.table = table;
        this.key = key;
        this.row = row;
        if (row.all().stream().anyMatch(ColumnValue::added)) {
            throw new IllegalArgumentException(
                    "there is nothing to add to in a row that is to be inserted into " + table);
        }
    }

    /** Returns true if the row was inserted. If not, something was in the way, not necessarily a row under the key. */
    boolean unlessThere() throws SQLException {
        return switch (database.kind()) {
            case POSTGRESQL, SQLITE -> unlessConflict();
            case MYSQL -> unlessDuplicate();
            case H2 -> unlessRefused();
        };
    }

    /** Inserts again, after no row was found under the key that could have been in the way. */
    boolean again() throws SQLException {
        return switch (database.kind()) {
            case POSTGRESQL, SQLITE -> unlessConflict();
            case MYSQL -> plain().update() == 1;
            case H2 -> unlessHidden();
        };
    }

    /**
     * Returns the clause for reading the row that was met. With InnoDB the row may be newer than the snapshot; only a locking read sees it.
     */
    String locking() {
        return database.kind() == Kind.MYSQL ? database.locking() : "";
    }

    private boolean unlessConflict() throws SQLException {
        return plain().add(" on conflict (").names(key).add(") do nothing").update() == 1;
    }

    private boolean unlessDuplicate() throws SQLException {
        SqlName column = key.get(0);
        SqlBuilder insert =
                plain().add(" on duplicate key update ").name(column).add(" = if(last_insert_id(");
        insert.value(MET).add(") = 0, ").name(column).add(", ").name(column).add(")");
        return insert.updateForId() != MET;
    }

    private boolean unlessRefused() throws SQLException {
        try {
            return plain().update() == 1;
        } catch (SQLException e) {
            if (e.getErrorCode() == H2_DUPLICATE) {
                return false;
            }
            throw e;
        }
    }

    /** Inserts the row. If the key is taken although no row was found under it, the row is newer than the transaction's snapshot. */
    private boolean unlessHidden() throws SQLException {
        try {
            return plain().update() == 1;
        } catch (SQLException e) {
            if (e.getErrorCode() == H2_DUPLICATE && violatesKey(String.valueOf(e.getMessage()))) {
                throw new SQLTransactionRollbackException(
                        "the row of " + table + " is newer than the transaction; repeat it", "40001", e);
            }
            throw e;
        }
    }

    private boolean violatesKey(String message) {
        Matcher matcher = H2_INDEX_COLUMNS.matcher(message);
        return matcher.find()
                && columns(Stream.of(matcher.group(1).split(",", -1))
                                .map(column -> column.strip().split(" ", 2)[0].replace("\"", "")))
                        .equals(columns(key.stream().map(SqlName::toString)));
    }

    private static Set<String> columns(Stream<String> names) {
        return names.map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    private SqlBuilder plain() {
        return new SqlBuilder(connection, database)
                .add("insert into ")
                .name(table)
                .add(" (")
                .names(row.all().stream().map(ColumnValue::name).toList())
                .add(") values (")
                .values(row.all().stream().map(ColumnValue::value).toList())
                .add(")");
    }
}
