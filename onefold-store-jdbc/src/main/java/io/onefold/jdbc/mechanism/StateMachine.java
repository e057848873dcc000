package io.onefold.jdbc.mechanism;

import io.onefold.jdbc.mechanism.TransitionResult.AlreadyMoved;
import io.onefold.jdbc.mechanism.TransitionResult.MoveRejected;
import io.onefold.jdbc.mechanism.TransitionResult.Moved;
import io.onefold.jdbc.mechanism.TransitionResult.StateRowMissing;
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
    private final SqlName table;
    private final SqlName id;
    private final SqlName state;
    private final Map<S, Object> stored;
    private final EnumMap<S, AllowedMove<S>> entries;

    private StateMachine(
            SqlName table, SqlName id, SqlName state, Map<S, Object> stored, EnumMap<S, AllowedMove<S>> entries) {
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
                SqlName.table(table), SqlName.column(id), SqlName.column(state), stored, new EnumMap<>(states));
    }

    /** Allows moves to a state, once for each. Returns a changed copy. */
    @SafeVarargs
    public final StateMachine<S> allow(S to, String causeColumn, S from, S... more) {
        Set<S> origins = EnumSet.of(from, more);
        if (origins.contains(to)) {
            throw new IllegalArgumentException("a move from " + to + " to itself is none");
        }
        EnumMap<S, AllowedMove<S>> extended = new EnumMap<>(entries);
        if (extended.put(to, new AllowedMove<>(SqlName.column(causeColumn), origins)) != null) {
            throw new IllegalArgumentException("moves to " + to + " are declared already");
        }
        return new StateMachine<>(table, id, state, stored, extended);
    }

    public TransitionResult<S> move(Connection connection, Object rowId, S to, String cause) throws SQLException {
        return move(connection, rowId, to, cause, ColumnValues.none());
    }

    /**
     * Moves a row and sets other columns with it.
     *
     * @param cause what asks for the move: the same in every repetition, and another for every other request
     */
    public TransitionResult<S> move(Connection connection, Object rowId, S to, String cause, ColumnValues also)
            throws SQLException {
        AllowedMove<S> entry = entries.get(to);
        if (entry == null) {
            throw new IllegalArgumentException("no move to " + to + " is declared for " + table);
        }
        also.without(id, state, entry.cause());
        return ConditionalUpdate.run(
                table,
                new Moved<>(),
                () -> update(connection, rowId, to, cause, also, entry),
                () -> look(connection, rowId, to, cause, entry));
    }

    /** The moves to one state. */
    private record AllowedMove<S>(SqlName cause, Set<S> from) {}

    private int update(Connection connection, Object rowId, S to, String cause, ColumnValues also, AllowedMove<S> entry)
            throws SQLException {
        SqlBuilder update = new SqlBuilder(connection, DatabaseSyntax.of(connection))
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

    private @Nullable TransitionResult<S> look(
            Connection connection, Object rowId, S to, String cause, AllowedMove<S> entry) throws SQLException {
        DatabaseSyntax database = DatabaseSyntax.of(connection);
        List<SqlName> causes =
                entries.values().stream().map(AllowedMove::cause).distinct().toList();
        // the database compares, as it did in the update: its collation and padding count
        List<CurrentState<S>> found = new SqlBuilder(connection, database)
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
        return found.isEmpty() ? new StateRowMissing<>() : judge(found.get(0), to, entry);
    }

    private @Nullable TransitionResult<S> judge(CurrentState<S> row, S to, AllowedMove<S> entry) {
        if (row.sameCause() && (row.state() == to || isAlone(entry))) {
            return new AlreadyMoved<>(row.state());
        }
        return entry.from().contains(row.state()) ? null : new MoveRejected<>(row.state(), row.cause());
    }

    /** The state of a row, and the cause that brought it there. */
    private record CurrentState<S>(
            boolean sameCause, S state, @Nullable String cause) {}

    private CurrentState<S> standing(ResultSet row, List<SqlName> causes) throws SQLException {
        S current = read(String.valueOf(row.getString(2)).strip());
        AllowedMove<S> by = entries.get(current);
        return new CurrentState<>(
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

    private boolean isAlone(AllowedMove<S> entry) {
        return entries.values().stream()
                        .filter(one -> one.cause().is(entry.cause()))
                        .count()
                == 1;
    }
}
