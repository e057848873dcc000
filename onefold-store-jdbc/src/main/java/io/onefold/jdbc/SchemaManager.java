package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes and checks the tables. */
final class SchemaManager {
    static final String META = "onefold_meta";
    static final String IDENTITY = "identity";
    static final String VERSION = "1";
    static final String TOKEN = "onefold_token";
    static final String FENCE = "onefold_fence";
    private static final String SCHEMA_VERSION = "schema_version";
    private static final int TRIES = 20;
    private static final long PAUSE_NANOS = 10_000_000;
    private static final Pattern BESIDE = Pattern.compile("\\bonefold_(meta|token|fence|lock)\\b");
    private static final String OWN = "-- columns of your own";

    private final Dialect dialect;
    private final Connection connection;

    SchemaManager(Dialect dialect, Connection connection) {
        this.dialect = dialect;
        this.connection = connection;
    }

    /** A table that is there is looked at before anything is made beside it: it may be somebody else's. */
    void ready(SchemaMode schema, List<TableStatements> tables) throws SQLException {
        if (schema == SchemaMode.NONE) {
            return;
        }
        for (TableStatements table : tables) {
            if (schema == SchemaMode.CREATE) {
                if (!columns(table.table().name()).isEmpty()) {
                    checkShape(table, TRIES);
                }
                if (!complete(table)) {
                    create(table);
                }
            }
            checkShape(table, schema == SchemaMode.CREATE ? TRIES : 1);
            checkVersion(table);
        }
    }

    /** Returns true if the script has been run to its end, by any node. */
    private boolean complete(TableStatements table) throws SQLException {
        return !columns(table.table().name()).isEmpty()
                && !columns(beside(table, META)).isEmpty()
                && !columns(beside(table, TOKEN)).isEmpty()
                && !columns(beside(table, FENCE)).isEmpty()
                && setting(connection, table, SCHEMA_VERSION) != null
                && setting(connection, table, IDENTITY) != null;
    }

    /** The schema file, with the table's own name and columns in it. */
    static String script(Dialect dialect, RecordTable table) {
        String name = table.name();
        int dot = name.indexOf('.');
        String bare = name.substring(dot + 1);
        String schema = name.substring(0, dot + 1);
        String own = table.columns().stream()
                .map(column -> "\n    , " + dialect.quoted(column.name()) + " " + column.type())
                .collect(Collectors.joining());
        String script = SqlFile.text("schema/" + dialect.name() + ".sql")
                .replaceAll("\\bidempotent_record_(\\w+)\\b", bare + "_$1")
                .replaceAll("\\bidempotent_record\\b", dialect.quoted(name));
        return BESIDE.matcher(script)
                .replaceAll(there -> dialect.quoted(schema + there.group()))
                .replace(OWN, OWN + own);
    }

    /**
     * Runs the script until it was run to its end: nodes that start at once meet each other at every one of its statements, and each
     * of them leaves alone what is there.
     */
    private void create(TableStatements table) throws SQLException {
        for (int tries = 1; ; tries++) {
            try {
                run(withoutComments(script(dialect, table.table())));
                return;
            } catch (SQLException e) {
                if (complete(table)) {
                    return;
                }
                if (tries == TRIES) {
                    throw new IllegalStateException(
                            "table " + table.table().name() + " or one beside it is missing and could not be made: "
                                    + e.getMessage() + "; make them from " + dialect.file(),
                            e);
                }
                pause(tries);
            }
        }
    }

    private static void pause(int tries) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_NANOS * tries));
    }

    private void run(String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String part : script.split(";", -1)) {
                if (!part.isBlank()) {
                    statement.execute(part);
                }
            }
        }
    }

    private static String withoutComments(String script) {
        return script.lines()
                .map(line -> line.contains("--") ? line.substring(0, line.indexOf("--")) : line)
                .collect(Collectors.joining("\n"));
    }

    static String beside(TableStatements table, String name) {
        int dot = table.table().name().indexOf('.');
        return table.table().name().substring(0, dot + 1) + name;
    }

    private void require(String name) throws SQLException {
        if (columns(name).isEmpty()) {
            throw new IllegalStateException("table " + name + " is missing; make it from " + dialect.file()
                    + ", or open the store with Schema.CREATE");
        }
    }

    /** Looks again for a moment: H2 shows a table that another node is making before it has its primary key. */
    private void checkShape(TableStatements table, int looks) throws SQLException {
        String name = table.table().name();
        require(name);
        for (int look = 1; look < looks && primaryKey(name).isEmpty(); look++) {
            pause(look);
        }
        List<String> wrong = wrong(table);
        if (!wrong.isEmpty()) {
            throw new IllegalStateException(
                    "table " + name + " is not Onefold's: " + String.join("; ", wrong) + "; compare " + dialect.file());
        }
    }

    private List<String> wrong(TableStatements table) throws SQLException {
        String name = table.table().name();
        Map<String, TableShape> there = columns(name);
        List<String> wrong = new ArrayList<>();
        Map<String, ColumnKind> wanted = wanted();
        wanted.forEach((column, kind) -> {
            TableShape shape = there.get(column);
            if (shape == null) {
                wrong.add("column " + column + " is missing");
            } else if (!kind.fits(shape.type)) {
                wrong.add("column " + column + " is " + shape.type + ", not " + kind.described);
            }
        });
        Set<String> own = table.table().columns().stream()
                .map(column -> column.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        for (String column : own) {
            if (!there.containsKey(column)) {
                wrong.add("column " + column + " of your own is missing");
            }
        }
        if (dialect instanceof PostgresDialect && !there.containsKey("waited")) {
            wrong.add("column waited is missing");
        }
        there.forEach((column, shape) -> {
            if (shape.needed && !wanted.containsKey(column) && !own.contains(column) && !column.equals("waited")) {
                wrong.add("column " + column + " must not be null, and nothing fills it");
            }
        });
        List<String> key = primaryKey(name);
        if (!key.equals(List.of("id"))) {
            wrong.add("the primary key is " + key + ", not [id]");
        }
        return wrong;
    }

    private void checkVersion(TableStatements table) throws SQLException {
        require(beside(table, META));
        require(beside(table, FENCE));
        String version = setting(connection, table, SCHEMA_VERSION);
        if (!VERSION.equals(version)) {
            throw new IllegalStateException(META + " says that the tables have schema version " + version
                    + ", but this release knows version " + VERSION);
        }
        if (setting(connection, table, IDENTITY) == null) {
            throw new IllegalStateException(META + " has no row \"" + IDENTITY
                    + "\", by which this database is told from others;" + " insert it as " + dialect.file() + " does");
        }
    }

    static @Nullable String setting(Connection connection, TableStatements table, String name) throws SQLException {
        String select = "select setting from " + table.beside(META) + " where name = ?";
        try (PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }

    private Map<String, ColumnKind> wanted() {
        Map<String, ColumnKind> wanted = new LinkedHashMap<>();
        for (String column : dialect.sql().get("columns").split(",", -1)) {
            wanted.put(column.strip(), ColumnKind.of(column.strip()));
        }
        OverwrittenRecords.COLUMNS.forEach(column -> wanted.put(column, ColumnKind.BYTES));
        return wanted;
    }

    private Map<String, TableShape> columns(String table) throws SQLException {
        Map<String, TableShape> columns = new LinkedHashMap<>();
        TableLocation place = place(table);
        try (ResultSet row =
                connection.getMetaData().getColumns(place.catalog, place.schema, pattern(place.table), null)) {
            while (row.next()) {
                boolean needed = row.getInt("NULLABLE") == DatabaseMetaData.columnNoNulls
                        && row.getString("COLUMN_DEF") == null
                        && !"YES".equals(row.getString("IS_AUTOINCREMENT"))
                        && !"YES".equals(row.getString("IS_GENERATEDCOLUMN"));
                columns.put(
                        row.getString("COLUMN_NAME").toLowerCase(Locale.ROOT),
                        new TableShape(row.getString("TYPE_NAME").toLowerCase(Locale.ROOT), needed));
            }
        }
        return columns;
    }

    private List<String> primaryKey(String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        TableLocation place = place(table);
        try (ResultSet row = connection.getMetaData().getPrimaryKeys(place.catalog, place.schema, place.table)) {
            while (row.next()) {
                columns.add(row.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
            }
        }
        return columns;
    }

    /** Returns the place of the table in the database's own catalogue. */
    private TableLocation place(String table) throws SQLException {
        int dot = table.indexOf('.');
        String bare = folded(table.substring(dot + 1));
        String prefix = dot < 0 ? null : folded(table.substring(0, dot));
        boolean catalogs = dialect instanceof MySqlDialect;
        String catalog = catalogs && prefix != null ? prefix : connection.getCatalog();
        String schema = catalogs ? null : prefix == null ? connection.getSchema() : prefix;
        return new TableLocation(catalog, schema, bare);
    }

    /** An underscore would stand for any character. */
    private String pattern(String name) throws SQLException {
        String escape = connection.getMetaData().getSearchStringEscape();
        return escape == null || escape.isEmpty() ? name : name.replace("_", escape + "_");
    }

    private String folded(String name) {
        String quoted = dialect.quoted(name);
        return quoted.substring(1, quoted.length() - 1);
    }

    private record TableLocation(
            @Nullable String catalog, @Nullable String schema, String table) {}

    private record TableShape(String type, boolean needed) {}

    /** The required type of a column, in the words of any of the databases. */
    @SuppressWarnings("ImmutableEnumChecker") // its list is immutable
    private enum ColumnKind {
        DIGEST("16 bytes or a uuid", "uuid", "binary", "blob"),
        NUMBER("a whole number", "int", "serial"),
        TEXT("text", "char", "text", "varying"),
        BYTES("bytes", "bytea", "binary", "blob");

        private final String described;
        private final List<String> words;

        ColumnKind(String described, String... words) {
            this.described = described;
            this.words = List.of(words);
        }

        boolean fits(String type) {
            return words.stream().anyMatch(type::contains);
        }

        static ColumnKind of(String column) {
            return switch (column) {
                case "id", "owner" -> DIGEST;
                case "scope", "biz_type", "idem_key", "result_format", "biz_id" -> TEXT;
                case "payload_hash", "field_hashes", "superseded", "result_payload", "checkpoint" -> BYTES;
                default -> NUMBER;
            };
        }
    }
}
