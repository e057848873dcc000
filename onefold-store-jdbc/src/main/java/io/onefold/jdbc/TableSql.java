package io.onefold.jdbc;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The statements for one table. */
final class TableSql {
    private final Dialect dialect;
    private final RecordTable table;
    private final Map<String, String> statements = new ConcurrentHashMap<>();
    private final Map<String, String> pairs = new ConcurrentHashMap<>();

    TableSql(Dialect dialect, RecordTable table) {
        this.dialect = dialect;
        this.table = table;
    }

    RecordTable table() {
        return table;
    }

    /** The statement of that name, for this table. */
    String get(String name) {
        return statements.computeIfAbsent(name, named -> complete(dialect.sql().get(named)));
    }

    /** Two statements that travel together. */
    String pair(String first, String second) {
        return pairs.computeIfAbsent(first, same -> get(first) + "; " + get(second));
    }

    /** A statement whose text depends on more than the table. */
    String get(String name, String placeholder, String text) {
        return statements.computeIfAbsent(
                name + placeholder + text,
                same -> complete(dialect.sql().get(name).replace("{" + placeholder + "}", text)));
    }

    String complete(String statement) {
        String columns = dialect.sql().get("columns");
        String ofRow = "r." + columns.replace(", ", ", r.");
        return dialect.complete(statement
                .replace("{r.columns}", ofRow)
                .replace("{columns}", columns)
                .replace("{own_names}", own(column -> ", " + dialect.quoted(column.name())))
                .replace(
                        "{own_aliases}", own(column -> ", own" + table.columns().indexOf(column)))
                .replace("{own_values}", own(column -> ", ?"))
                .replace("{own_arrays}", own(column -> ", ?::" + Arrays.unbounded(column.type()) + "[]"))
                .replace("{table}", dialect.quoted(table.name())));
    }

    private String own(java.util.function.Function<RecordTable.Column, String> part) {
        return table.columns().stream().map(part).collect(Collectors.joining());
    }

    /** The name of something that stands beside this table, in the same schema. */
    String beside(String name) {
        int dot = table.name().indexOf('.');
        return dialect.quoted(dot < 0 ? name : table.name().substring(0, dot + 1) + name);
    }

    @Override
    public String toString() {
        return table.name().toLowerCase(Locale.ROOT);
    }
}
