package io.onefold.jdbc.mechanism;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The differences between databases.
 *
 * @param fold the change that the database makes to a name without quotes; done here, because quotes keep the database from doing it
 */
record DatabaseSyntax(Kind kind, UnaryOperator<String> fold) {

    enum Kind {
        POSTGRESQL,
        /** MariaDB as well: its server answers to MySQL's driver, which does not tell them apart. */
        MYSQL,
        SQLITE,
        H2
    }

    static DatabaseSyntax of(Connection connection) throws SQLException {
        DatabaseMetaData meta = connection.getMetaData();
        String product = meta.getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> new DatabaseSyntax(Kind.POSTGRESQL, name -> name.toLowerCase(Locale.ROOT));
            case "MySQL", "MariaDB" -> new DatabaseSyntax(Kind.MYSQL, UnaryOperator.identity());
            case "SQLite" -> new DatabaseSyntax(Kind.SQLITE, UnaryOperator.identity());
            case "H2" -> new DatabaseSyntax(Kind.H2, h2Fold(meta));
            default ->
                throw new SQLFeatureNotSupportedException(
                        "made for PostgreSQL, MariaDB, MySQL, SQLite and H2, but this is " + product);
        };
    }

    String quoted(SqlName name) {
        String quote = kind == Kind.MYSQL ? "`" : "\"";
        return name.parts().stream()
                .map(part -> quote + fold.apply(part) + quote)
                .collect(Collectors.joining("."));
    }

    /** Ends a read of what is there now, not of what was there when the transaction began, and keeps it so. */
    String locking() {
        // SQLite has one writer at a time, and an update before the read has made this transaction the one
        return kind == Kind.SQLITE ? "" : " for update";
    }

    private static UnaryOperator<String> h2Fold(DatabaseMetaData meta) throws SQLException {
        if (meta.storesUpperCaseIdentifiers()) {
            return name -> name.toUpperCase(Locale.ROOT);
        }
        return meta.storesLowerCaseIdentifiers() ? name -> name.toLowerCase(Locale.ROOT) : UnaryOperator.identity();
    }
}
