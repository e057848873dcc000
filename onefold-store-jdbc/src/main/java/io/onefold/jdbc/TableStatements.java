package io.onefold.jdbc;

import io.onefold.store.ColumnUpdate;
import io.onefold.store.StoreException;
import io.onefold.store.Takeover.TakeoverReason;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements for one table. */
final class TableStatements {
    private final Dialect dialect;
    private final RecordTable table;
    private final @Nullable String schema;
    private final Map<String, String> statements = new ConcurrentHashMap<>();
    private final Map<String, String> freeing = new ConcurrentHashMap<>();
    private final Map<String, String> goingOn = new ConcurrentHashMap<>();
    private final Map<String, String> ending = new ConcurrentHashMap<>();

    TableStatements(Dialect dialect, RecordTable table) {
        this(dialect, table, null);
    }

    private TableStatements(Dialect dialect, RecordTable table, @Nullable String schema) {
        this.dialect = dialect;
        this.table = table;
        this.schema = schema;
    }

    /** The same, with its statements naming this schema, so that no session means another table; unless the table's name has one. */
    TableStatements in(@Nullable String schema) {
        return schema == null || table.name().indexOf('.') >= 0 ? this : new TableStatements(dialect, table, schema);
    }

    /** The schema that the table was found in by its bare name, as the database spells it; else null. */
    @Nullable
    String schema() {
        return schema;
    }

    RecordTable table() {
        return table;
    }

    /** The statement of that name, for this table. */
    String get(String name) {
        return statements.computeIfAbsent(name, named -> complete(dialect.sql().get(named)));
    }

    /** A statement that is put together from parts, once for each name. */
    String get(String name, Supplier<String> parts) {
        return statements.computeIfAbsent(name, same -> complete(parts.get()));
    }

    /** A statement that writes in the place of what is there, where these grounds hold. */
    String taking(String name, TakeoverReason grounds) {
        SqlFile sql = dialect.sql();
        return get(name + " when " + grounds, () -> sql.get(name) + " " + sql.get("take " + grounds));
    }

    /** The statement that takes a finished record and keeps its end, if the end is still the one that was read. */
    String overwriting() {
        SqlFile sql = dialect.sql();
        return get(
                "overwrite",
                () -> sql.get("take").replace("{keeping}", sql.get("keeping")) + " " + sql.get("take OVERWRITE") + " "
                        + sql.get("unchanged"));
    }

    /** The statement that makes a change. One that frees does not match a record that has an earlier end. */
    String changing(String name, ColumnUpdate to) {
        Map<String, String> texts = to.frees() ? freeing : to.staysOpen() ? goingOn : ending;
        String text = texts.get(name);
        return text == null ? texts.computeIfAbsent(name, named -> change(named, to)) : text;
    }

    private String change(String name, ColumnUpdate to) {
        SqlFile sql = dialect.sql();
        return complete(sql.get(name)
                .replace("{change}", sql.get("change"))
                .replace("{dropping}", to.frees() || to.staysOpen() ? "" : sql.get("dropping"))
                .replace("{unless}", to.frees() ? sql.get("unless") : ""));
    }

    String complete(String statement) {
        String columns = dialect.sql().get("columns");
        String ofRow = "r." + columns.replace(", ", ", r.");
        return dialect.complete(statement
                .replace("{insert}", dialect.sql().get("insert"))
                .replace("{floor}", dialect.sql().get("floor"))
                .replace("{restore}", dialect.sql().get("restore"))
                .replace("{dropping}", dialect.sql().get("dropping"))
                .replace("{keeping}", "")
                .replace("{r.columns}", ofRow)
                .replace("{columns}", columns)
                .replace("{own_names}", own(column -> ", " + dialect.quoted(column.name())))
                .replace(
                        "{own_aliases}", own(column -> ", own" + table.columns().indexOf(column)))
                .replace("{own_values}", own(column -> ", ?"))
                .replace("{own_arrays}", own(column -> ", (select ?::" + ArrayBinder.unbounded(column.type()) + "[])"))
                .replace("{token_table}", beside(SchemaManager.TOKEN))
                .replace("{meta_table}", beside(SchemaManager.META))
                .replace("{fence_table}", beside(SchemaManager.FENCE))
                .replace("{here}", dialect.here(this))
                .replace("{table}", qualified(table.name())));
    }

    private String own(Function<RecordTable.TableColumn, String> part) {
        return table.columns().stream().map(part).collect(Collectors.joining());
    }

    /** The name of something that stands beside this table, in the same schema. */
    String beside(String name) {
        int dot = table.name().indexOf('.');
        return qualified(dot < 0 ? name : table.name().substring(0, dot + 1) + name);
    }

    private String qualified(String name) {
        return (schema == null ? "" : dialect.exactly(schema) + ".") + dialect.quoted(name);
    }

    /** The table with its schema, for statements. */
    String qualifiedName() {
        return qualified(table.name());
    }

    String elsewhere(String where) {
        return elsewhere(
                where,
                "Give the store the DataSource of one database, with a store for each tenant that has a database of its own");
    }

    String elsewhere(String where, String advice) {
        return "the store was opened on " + qualifiedName() + ", but this connection leads to " + where
                + "; nothing was written. " + advice;
    }

    StoreException inOtherSchema() {
        return new StoreException(
                "the store was opened on " + qualifiedName() + ", but in this session " + table.name()
                        + " is another table, or none; nothing was written. If the sessions of all schemas are to share one table of"
                        + " records, name it with its schema and make the tenant part of the key's scope; else give each its own store");
    }

    @Override
    public String toString() {
        return table.name().toLowerCase(Locale.ROOT);
    }
}
