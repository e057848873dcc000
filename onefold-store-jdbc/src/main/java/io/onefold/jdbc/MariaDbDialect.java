package io.onefold.jdbc;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ResultPayload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** MariaDB: an insert of many rows returns those that were there already. */
final class MariaDbDialect extends MySqlDialect {
    /** The most bytes that a statement may hold besides the payload. */
    private static final int BESIDE = 1 << 16;

    MariaDbDialect() {
        super("mysql", "common.sql", "mysql.sql", "mariadb.sql");
    }

    /** The driver sends whatever it is given, and the server hangs up on a packet that is too large for it. */
    @Override
    boolean refuses(StatementPreparer statements, Connection connection, ResultPayload payload) throws SQLException {
        long bytes = payload.bytes().length;
        if (bytes <= ParameterChunks.MOST_BYTES) {
            return false;
        }
        for (byte one : payload.bytes()) {
            // as the driver spells them
            bytes += one == 0 || one == '\'' || one == '"' || one == '\\' ? 1 : 0;
        }
        try (PreparedStatement statement = statements.prepare(connection, "select @@max_allowed_packet");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return bytes + BESIDE > row.getLong(1);
        }
    }

    @Override
    String returning() {
        return sql().get("returning");
    }

    @Override
    List<@Nullable BatchItemResult<ClaimResult>> chunk(
            StatementPreparer statements, Connection connection, TableStatements table, List<Claim> claims)
            throws SQLException {
        List<Claim> rows = ParameterChunks.padded(claims, ParameterChunks::bytes);
        try (PreparedStatement insert = statements.prepare(connection, insertOf(table, rows.size()))) {
            bindClaims(insert, table, rows);
            try (ResultSet row = insert.executeQuery()) {
                List<@Nullable BatchItemResult<ClaimResult>> answers = answers(claims, seen(row), Duration.ZERO);
                if (claims.size() == 1 && answers.get(0) == null) {
                    // the statement met a row of another record: some unique column of the table's own has this value
                    throw new SQLException("a unique column of " + table + " has the value of another record", "23000");
                }
                return answers;
            }
        }
    }
}
