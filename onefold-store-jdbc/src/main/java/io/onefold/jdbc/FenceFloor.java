package io.onefold.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The floor below which no new record's fence may be. Fences of one key rise for ever, also if its record was removed and the clock of the
 * database was set back afterwards.
 *
 * <p>The floor is raised above all records that are due, and committed, before any of them is removed. Every statement that inserts a
 * record reads the floor. So whoever finds a record removed also finds the floor that is above its fence. A statement that began before the
 * floor was raised may have read the lower one. So nothing is removed until such statements are over. Mostly there is nothing to wait for: a
 * floor is raised to the present time, so it is above the fences of records that become due for a while.
 *
 * <p>Floors are inserted and never updated; the highest counts. On InnoDB a claim locks the floors that it reads, also while it waits for another
 * transaction. An update of a floor would wait for that lock, and all other claims would queue up behind the update.
 */
final class FenceFloor {
    /** The time that a statement may pause between reading the floor and writing its record without a fence going back. */
    static final Duration STALL = Duration.ofSeconds(1);

    private final ConnectionRunner connections;
    private final Dialect dialect;
    private final StatementPreparer statements;
    private final Duration stall;

    /** For each table of floors, the highest floor that this process has seen there. */
    private final Map<String, Sight> sights = new ConcurrentHashMap<>();

    FenceFloor(JdbcContext backing, Duration stall) {
        this.connections = backing.connections();
        this.dialect = backing.dialect();
        this.statements = backing.statements();
        this.stall = stall;
    }

    /** Removes records that were kept long enough, and says how many. */
    int remove(TableStatements table, int limit) {
        Due due = connections.eachAlone(() -> "sweeping " + table, connection -> due(connection, table, limit));
        if (due.fence == null) {
            return 0;
        }
        long floor = due.floor;
        if (due.fence >= floor) {
            floor = Math.max(due.fence + 1, due.now);
            raise(table, due.floor, floor);
        }
        return stood(table, floor) ? delete(table, floor, limit) : 0;
    }

    private Due due(Connection connection, TableStatements table, int limit) throws SQLException {
        try (PreparedStatement statement = statements.prepare(connection, table.get("due"))) {
            statement.setInt(1, limit);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long fence = row.getLong(1);
                return new Due(row.wasNull() ? null : (Long) fence, row.getLong(2), row.getLong(3));
            }
        }
    }

    /** Raises the floor. Before that, removes the floors below the last one, which nobody reads any more. */
    private void raise(TableStatements table, long last, long floor) {
        connections.eachAlone(() -> "raising the fences of " + table, connection -> {
            for (long old : oldFloors(connection, table, last)) {
                try (PreparedStatement drop = statements.prepare(connection, table.get("drop floor"))) {
                    drop.setLong(1, old);
                    drop.executeUpdate();
                }
            }
            try (PreparedStatement raise = statements.prepare(connection, table.get("raise floor"))) {
                raise.setLong(1, floor);
                return dialect.insertUnlessThere(raise);
            }
        });
    }

    private List<Long> oldFloors(Connection connection, TableStatements table, long last) throws SQLException {
        List<Long> old = new ArrayList<>();
        try (PreparedStatement statement = statements.prepare(connection, table.get("old floors"))) {
            statement.setLong(1, last);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    old.add(row.getLong(1));
                }
            }
        }
        return old;
    }

    /** Waits until this process has known this floor, or a higher one, for long enough. Returns false if the thread is interrupted. */
    private boolean stood(TableStatements table, long floor) {
        Sight sight = sights.compute(
                table.beside(SchemaManager.FENCE),
                (name, last) -> last != null && last.floor >= floor ? last : new Sight(floor, System.nanoTime()));
        long left = left(sight);
        while (left > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
            left = left(sight);
        }
        return left <= 0;
    }

    private long left(Sight sight) {
        return stall.toNanos() - (System.nanoTime() - sight.since);
    }

    private int delete(TableStatements table, long floor, int limit) {
        String text = table.get("delete");
        return connections.eachAlone(() -> "sweeping " + table, connection -> {
            try (PreparedStatement statement = statements.prepare(connection, text)) {
                int last = (int) text.chars().filter(one -> one == '?').count();
                // the floor as often as the statement asks for it
                for (int at = 1; at < last; at++) {
                    statement.setLong(at, floor);
                }
                statement.setInt(last, limit);
                return statement.executeUpdate();
            }
        });
    }

    /**
     * The next records to be removed.
     *
     * @param fence the highest of theirs; null if there are none
     * @param now the clock of the database
     * @param floor as it is
     */
    private record Due(@Nullable Long fence, long now, long floor) {}

    /**
     * A floor that was seen.
     *
     * @param since when it was seen first, in nanoseconds of a monotonic clock
     */
    private record Sight(long floor, long since) {}
}
