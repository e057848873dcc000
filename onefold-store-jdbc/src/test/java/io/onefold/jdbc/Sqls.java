package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What tests do to a database past the store. */
final class Sqls {
    private Sqls() {}

    static void run(DataSource source, String... statements) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    /** The first column, as text. */
    static List<@Nullable String> texts(DataSource source, String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            List<@Nullable String> texts = new ArrayList<>();
            while (row.next()) {
                texts.add(row.getString(1));
            }
            return texts;
        }
    }

    /** Those of the user's, in small letters. */
    static Set<String> tables(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                ResultSet row = connection
                        .getMetaData()
                        .getTables(connection.getCatalog(), connection.getSchema(), "%", null)) {
            Set<String> names = new TreeSet<>();
            while (row.next()) {
                if (row.getString("TABLE_TYPE").contains("TABLE")
                        && !row.getString("TABLE_TYPE").contains("SYSTEM")) {
                    names.add(row.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
                }
            }
            return names;
        }
    }
}
