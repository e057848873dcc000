package io.onefold.jdbc;

import io.onefold.store.Answer;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Seen;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** MariaDB: an insert of many rows returns those that were there already. */
final class MariaDbDialect extends MySqlDialect {
    private static final int MOST = 64;

    MariaDbDialect() {
        super("mysql", "common.sql", "mysql.sql", "mariadb.sql");
    }

    /** Every number of rows is a statement of its own: powers of two keep them few. */
    @Override
    List<@Nullable Answer<Claimed>> claims(
            Statements statements, Connection connection, TableSql table, List<Claim> claims) throws SQLException {
        List<@Nullable Answer<Claimed>> answers = new ArrayList<>(claims.size());
        while (answers.size() < claims.size()) {
            int some = Math.min(MOST, Integer.highestOneBit(claims.size() - answers.size()));
            answers.addAll(chunk(statements, connection, table, claims.subList(answers.size(), answers.size() + some)));
        }
        return answers;
    }

    private List<@Nullable Answer<Claimed>> chunk(
            Statements statements, Connection connection, TableSql table, List<Claim> claims) throws SQLException {
        String text = table.get("claims of " + claims.size(), () -> claimsOf(claims.size()));
        try (PreparedStatement insert = statements.prepare(connection, text)) {
            int at = 1;
            for (Claim claim : claims) {
                at = bindClaim(insert, at, table, claim);
            }
            Map<UUID, Seen> seen = new HashMap<>();
            try (ResultSet row = insert.executeQuery()) {
                while (row.next()) {
                    Seen one = Rows.seen(this, row);
                    seen.put(one.record().id().uuid(), one);
                }
            }
            return answers(table, claims, seen);
        }
    }

    private String claimsOf(int rows) {
        return sql().get("claims").replace("{rows}", String.join(", ", Collections.nCopies(rows, sql().get("row"))));
    }

    private static List<@Nullable Answer<Claimed>> answers(TableSql table, List<Claim> claims, Map<UUID, Seen> seen)
            throws SQLException {
        List<@Nullable Answer<Claimed>> answers = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            Seen there = seen.remove(claim.id().uuid());
            if (there == null) {
                // the statement met a row of another record: some unique column of the table's own has this value
                throw new SQLException("a unique column of " + table + " has the value of another record", "23000");
            }
            answers.add(Answer.from(() -> answer(claim, there, false)));
        }
        return answers;
    }
}
