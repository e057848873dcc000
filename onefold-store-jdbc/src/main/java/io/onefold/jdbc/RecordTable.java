package io.onefold.jdbc;

import io.onefold.store.Claim;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table of records: the shared one, or one for some operations with columns of its own.
 *
 * <pre>{@code
 * RecordTable.named("order_record")
 *     .holding("create-order", "cancel-order")
 *     .column("order_no", "varchar(64)", claim -> claim.bizId());
 * }</pre>
 */
public final class RecordTable {
    /** The name of the shared table unless another is given. */
    public static final String DEFAULT = "idempotent_record";

    private static final Pattern TYPE =
            Pattern.compile("[A-Za-z][A-Za-z0-9 ]{0,40}(\\([0-9]{1,5}(, ?[0-9]{1,3})?\\))?");

    /** Matches words that make a constraint, which is more than a type. */
    private static final Pattern CONSTRAINT = Pattern.compile(
            "\\b(not|null|unique|primary|key|references|default|check|generated|constraint|collate|as|auto_increment|identity)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final Set<String> OWN = own();

    private final String name;
    private final Set<String> operations;
    private final List<TableColumn> columns;

    private RecordTable(String name, Set<String> operations, List<TableColumn> columns) {
        this.name = name;
        this.operations = operations;
        this.columns = columns;
    }

    public static RecordTable named(String name) {
        return new RecordTable(SqlIdentifier.table(name), Set.of(), List.of());
    }

    /** The operations whose records are kept here instead of in the shared table. */
    public RecordTable holding(String... operations) {
        return new RecordTable(name, Set.of(operations), columns);
    }

    /**
     * A column of your own, written when a record is new.
     *
     * @param type as the database spells it, for the table to be made with
     * @param value of a column of this type, as the driver takes it; called once or more for each claim
     */
    public RecordTable column(String column, String type, Function<Claim, @Nullable Object> value) {
        SqlIdentifier.column(column);
        String lower = column.toLowerCase(Locale.ROOT);
        if (OWN.contains(lower)) {
            throw new IllegalArgumentException("column " + column + " is one of Onefold's own");
        }
        if (columns.stream().anyMatch(other -> other.name().equalsIgnoreCase(column))) {
            throw new IllegalArgumentException("table " + name + " has two columns " + column);
        }
        if (!TYPE.matcher(type).matches() || CONSTRAINT.matcher(type).find()) {
            throw new IllegalArgumentException("column " + column + " has the type \"" + type + "\", not one like "
                    + "\"bigint\", \"varchar(64)\" or \"decimal(19, 2)\"; add constraints to the table yourself");
        }
        List<TableColumn> more = new ArrayList<>(columns);
        more.add(new TableColumn(column, type, value));
        return new RecordTable(name, operations, List.copyOf(more));
    }

    private static Set<String> own() {
        Set<String> names = new HashSet<>();
        for (String name : SqlFile.load("common.sql").get("columns").split(",", -1)) {
            names.add(name.strip());
        }
        names.addAll(OverwrittenRecords.COLUMNS);
        names.add("waited");
        return Set.copyOf(names);
    }

    String name() {
        return name;
    }

    Set<String> operations() {
        return operations;
    }

    List<TableColumn> columns() {
        return columns;
    }

    record TableColumn(String name, String type, Function<Claim, @Nullable Object> value) {}
}
