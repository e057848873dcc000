package io.onefold.jdbc.mechanism;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values for columns. They go to the driver as they are ({@link java.sql.PreparedStatement#setObject}), except that of an enum only
 * the name does. Each method returns a changed copy.
 */
public final class Columns {
    private static final Columns NONE = new Columns(List.of());

    private final List<Column> all;

    private Columns(List<Column> all) {
        this.all = List.copyOf(all);
    }

    public static Columns none() {
        return NONE;
    }

    public static Columns of(String column, @Nullable Object value) {
        return NONE.and(column, value);
    }

    public Columns and(String column, @Nullable Object value) {
        return with(new Column(Name.column(column), value, false));
    }

    /** For updates: adds to the number that is there. */
    public Columns plus(String column, Number by) {
        return with(new Column(Name.column(column), by, true));
    }

    /**
     * The value of one column.
     *
     * @param added whether it is added to what is there
     */
    record Column(Name name, @Nullable Object value, boolean added) {}

    List<Column> all() {
        return all;
    }

    @Nullable
    Column find(Name name) {
        return all.stream().filter(column -> column.name().is(name)).findFirst().orElse(null);
    }

    /** Refuses the columns that the mechanism itself writes. */
    Columns without(Name... reserved) {
        for (Name name : reserved) {
            if (find(name) != null) {
                throw new IllegalArgumentException("column " + name + " is not yours to set here");
            }
        }
        return this;
    }

    /** Writes the assignments of an update, with a comma after each. */
    void assign(Query update) {
        for (Column column : all) {
            update.name(column.name()).add(" = ");
            if (column.added()) {
                update.name(column.name()).add(" + ");
            }
            update.value(column.value()).add(", ");
        }
    }

    private Columns with(Column column) {
        without(column.name());
        List<Column> more = new ArrayList<>(all);
        more.add(column);
        return new Columns(more);
    }
}
