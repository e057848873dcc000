package io.onefold.jdbc.mechanism;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values for columns. They go to the driver as they are ({@link java.sql.PreparedStatement#setObject}), except that of an enum only
 * the name does. Each method returns a changed copy.
 */
public final class ColumnValues {
    private static final ColumnValues NONE = new ColumnValues(List.of());

    private final List<ColumnValue> all;

    private ColumnValues(List<ColumnValue> all) {
        this.all = List.copyOf(all);
    }

    public static ColumnValues none() {
        return NONE;
    }

    public static ColumnValues of(String column, @Nullable Object value) {
        return NONE.and(column, value);
    }

    public ColumnValues and(String column, @Nullable Object value) {
        return with(new ColumnValue(SqlName.column(column), value, false));
    }

    /** For updates: adds to the number that is there. */
    public ColumnValues plus(String column, Number by) {
        return with(new ColumnValue(SqlName.column(column), by, true));
    }

    /**
     * The value of one column.
     *
     * @param added whether it is added to what is there
     */
    record ColumnValue(SqlName name, @Nullable Object value, boolean added) {}

    List<ColumnValue> all() {
        return all;
    }

    @Nullable
    ColumnValue find(SqlName name) {
        return all.stream().filter(column -> column.name().is(name)).findFirst().orElse(null);
    }

    /** Refuses the columns that the mechanism itself writes. */
    ColumnValues without(SqlName... reserved) {
        for (SqlName name : reserved) {
            if (find(name) != null) {
                throw new IllegalArgumentException("column " + name + " is not yours to set here");
            }
        }
        return this;
    }

    /** Writes the assignments of an update, with a comma after each. */
    void assign(SqlBuilder update) {
        for (ColumnValue column : all) {
            update.name(column.name()).add(" = ");
            if (column.added()) {
                update.name(column.name()).add(" + ");
            }
            update.value(column.value()).add(", ");
        }
    }

    private ColumnValues with(ColumnValue column) {
        without(column.name());
        List<ColumnValue> more = new ArrayList<>(all);
        more.add(column);
        return new ColumnValues(more);
    }
}
