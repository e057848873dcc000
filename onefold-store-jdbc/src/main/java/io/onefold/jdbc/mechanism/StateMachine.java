package io.onefold.jdbc.mechanism;

import io.onefold.jdbc.mechanism.Transition.Already;
import io.onefold.jdbc.mechanism.Transition.Missing;
import io.onefold.jdbc.mechanism.Transition.Moved;
import io.onefold.jdbc.mechanism.Transition.Refused;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Moves rows from state to state, each move at most once for its cause. What is allowed is declared once. Each state that can be
 * moved to has a column for the cause of the move: the number of the payment that made the order PAID. By it a repetition is told from
 * another request for the same.
 *
 * <p>Give each state a cause column of its own. Then a repetition is recognised even when the row has moved on, or back. States that
 * share a column remember the last cause only, so a repetition is recognised only as long as the row has not moved on.
 */
public final class StateMachine<S extends Enum<S>> {
    private final Name table;
    private final Name id;
    private final Name state;
    private final Map<S, Object> stored;
    private final EnumMap<S, Entry<S>> entries;

    private StateMachine(Name table, Name id, Name state, Map<S, Object> stored, EnumMap<S, Entry<S>> entries) {
        this.table = table;
        this.id = id;
        this.state = state;
        this.stored = stored;
        this.entries = entries;
    }

    /** States that are stored by their names. */
    public static <S extends Enum<S>> StateMachine<S> of(String table, String id, String state, Class<S> states) {
        return of(table, id, state, states, Enum::name);
    }

    /** States that are stored by a code, a text or number each. */
    public static <S extends Enum<S>> StateMachine<S> of(
            String table, String id, String state, Class<S> states, Function<? super S, ?> code) {
        Map<S, Object> stored = new EnumMap<>(states);
        for (S one : states.getEnumConstants()) {
            stored.put(one, code.apply(one));
        }
        if (Set.copyOf(stored.values()).size() < stored.size()) {
            throw new IllegalArgumentException("two states have the same code: " + stored);
        }
        return new StateMachine<>(
                Name.table(table), Name.column(id), Name.column(state), stored, new EnumMap<>(states));
    }

    /** Allows moves to a state, once for each. Returns a changed copy. */
    @SafeVarargs
    public final StateMachine<S> allow(S to, String causeColumn, S from, S... more) {
        Set<S> origins = EnumSet.of(from, more);
        if (origins.contains(to)) {
            throw new IllegalArgumentException("a move from " + to + " to itself is none");
        }
        EnumMap<S, Entry<S>> extended = new EnumMap<>(entries);
        if (extended.put(to, new Entry<>(Name.column(causeColumn), origins)) != null) {
            throw new IllegalArgumentException("moves to " + to + " are declared already");
        }
        return new StateMachine<>(table, id, state, stored, extended);
    }

    public Transition<S> move(Connection connection, Object rowId, S to, String cause) throws SQLException {
        return move(connection, rowId, to, cause, Columns.none());
    }

    /**
     * Moves a row and sets other columns with it.
     *
     * @param cause what asks for the move: the same in every repetition, and another for every other request
     */
    public Transition<S> move(Connection connection, Object rowId, S to, String cause, Columns also)
            throws SQLException {
        Entry<S> entry = entries.get(to);
        if (entry == null) {
            throw new IllegalArgumentException("no move to " + to + " is declared for " + table);
        }
        also.without(id, state, entry.cause());
        return GuardedUpdate.run(
                table,
                new Moved<>(),
                () -> update(connection, rowId, to, cause, also, entry),
                () -> look(connection, rowId, to, cause, entry));
    }

    /** The moves to one state. */
    private record Entry<S>(Name cause, Set<S> from) {}

    private int update(Connection connection, Object rowId, S to, String cause, Columns also, Entry<S> entry)
            throws SQLException {
        Query update = new Query(connection, Database.of(connection))
                .add("update ")
                .name(table)
                .add(" set ");
        also.assign(update);
        update.name(state)
                .add(" = ")
                .value(stored.get(to))
                .add(", ")
                .name(entry.cause())
                .add(" = ")
                .value(cause);
        update.where(List.of(id), List.of(rowId)).add(" and ").name(state).add(" in (");
        update.values(entry.from().stream().map(stored::get).toList()).add(")");
        if (isAlone(entry)) {
            // the row may have come back to where it was; that does not make a repetition new
            update.add(" and (").name(entry.cause()).add(" is null or ");
            update.name(entry.cause()).add(" <> ").value(cause).add(")");
        }
        return update.update();
    }

    private @Nullable Transition<S> look(Connection connection, Object rowId, S to, String cause, Entry<S> entry)
            throws SQLException {
        Database database = Database.of(connection);
        List<Name> causes =
                entries.values().stream().map(Entry::cause).distinct().toList();
        // the database compares, as it did in the update: its collation and padding count
        List<Standing<S>> found = new Query(connection, database)
                .add("select case when ")
                .name(entry.cause())
                .add(" = ")
                .value(cause)
                .add(" then 1 else 0 end, ")
                .name(state)
                .add(", ")
                .names(causes)
                .add(" from ")
                .name(table)
                .where(List.of(id), List.of(rowId))
                .add(database.locking())
                .rows(1, row -> standing(row, causes));
        return found.isEmpty() ? new Missing<>() : judge(found.get(0), to, entry);
    }

    private @Nullable Transition<S> judge(Standing<S> row, S to, Entry<S> entry) {
        if (row.sameCause() && (row.state() == to || isAlone(entry))) {
            return new Already<>(row.state());
        }
        return entry.from().contains(row.state()) ? null : new Refused<>(row.state(), row.cause());
    }

    /** The state of a row, and the cause that brought it there. */
    private record Standing<S>(
            boolean sameCause, S state, @Nullable String cause) {}

    private Standing<S> standing(ResultSet row, List<Name> causes) throws SQLException {
        S current = read(String.valueOf(row.getString(2)).strip());
        Entry<S> by = entries.get(current);
        return new Standing<>(
                row.getInt(1) == 1, current, by == null ? null : row.getString(3 + causes.indexOf(by.cause())));
    }

    private S read(String text) {
        return stored.entrySet().stream()
                .filter(one -> String.valueOf(one.getValue()).equals(text))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalStateException(table + "." + state + " has a state that is not declared: " + text));
    }

    private boolean isAlone(Entry<S> entry) {
        return entries.values().stream()
                        .filter(one -> one.cause().is(entry.cause()))
                        .count()
                == 1;
    }
}
