package io.onefold.jdbc;

import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes those who wait in other processes. A notification makes commits queue up behind each other, so only records that someone
 * waits for have one: who waits says so in the record, and the statement that ends it notifies if it finds that.
 *
 * <p>One thread on one connection listens as long as anyone in this process waits, and a little longer. Whatever it misses, those who
 * wait will find by looking.
 */
final class PostgresSignals implements RecordSignals {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresSignals.class);
    private static final int LISTEN_MILLIS = 10;
    private static final int IDLE_ROUNDS = 3_000;
    private static final long RECONNECT_NANOS = 500_000_000;

    private final DataSource source;
    private final Function<RecordId, TableStatements> tables;
    private final Map<UUID, Set<PostgresWaiter>> waiting = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<RecordId> unsaid = new ConcurrentLinkedQueue<>();
    private volatile boolean deaf;
    private @Nullable Thread listener;

    PostgresSignals(DataSource source, Function<RecordId, TableStatements> tables) {
        this.source = source;
        this.tables = tables;
    }

    @Override
    public Subscription subscribe(RecordId id, Runnable wake) {
        if (deaf) {
            return () -> {};
        }
        PostgresWaiter own = new PostgresWaiter(id, wake);
        waiting.compute(id.uuid(), (same, others) -> {
            Set<PostgresWaiter> all = others == null ? ConcurrentHashMap.newKeySet() : others;
            all.add(own);
            return all;
        });
        unsaid.add(id);
        listen();
        return () -> waiting.computeIfPresent(id.uuid(), (same, others) -> {
            others.remove(own);
            return others.isEmpty() ? null : others;
        });
    }

    /** The statement that ends a record has notified already. */
    @Override
    public void publish(RecordId id) {}

    private synchronized void listen() {
        if (listener == null) {
            Thread thread = new Thread(this::run, "onefold-signals");
            thread.setDaemon(true);
            thread.start();
            listener = thread;
        }
    }

    private void run() {
        do {
            try (Connection connection = source.getConnection()) {
                connection.setAutoCommit(true);
                if (TransactionPooler.isBefore(connection)) {
                    giveUp();
                    return;
                }
                try (Statement statement = connection.createStatement()) {
                    statement.execute("listen onefold");
                }
                waiting.values().forEach(all -> all.forEach(one -> unsaid.add(one.id)));
                hear(connection);
            } catch (SQLException | RuntimeException e) {
                LOG.debug("not listening; those who wait look for themselves", e);
                LockSupport.parkNanos(RECONNECT_NANOS);
            }
        } while (!ended());
    }

    /** Gives up listening. Waiting callers poll from now on, as they do in any case. */
    private synchronized void giveUp() {
        deaf = true;
        listener = null;
        waiting.clear();
        unsaid.clear();
        LOG.warn(
                "No notifications of PostgreSQL are awaited, because a pooler such as PgBouncer stands before it: in transaction mode they"
                        + " would not arrive. Calls that wait for others look again and again instead, which is right but slower. Give"
                        + " JdbcStore.Builder.ownConnections a source that leads to PostgreSQL itself");
    }

    /** Returns true if nobody waits any more. The next waiting caller starts another listener. */
    private synchronized boolean ended() {
        if (waiting.isEmpty() && unsaid.isEmpty()) {
            listener = null;
            return true;
        }
        return false;
    }

    private void hear(Connection connection) throws SQLException {
        PGConnection postgres = connection.unwrap(PGConnection.class);
        for (int idle = 0; idle < IDLE_ROUNDS; idle = waiting.isEmpty() ? idle + 1 : 0) {
            say(connection);
            PGNotification[] heard = postgres.getNotifications(LISTEN_MILLIS);
            for (PGNotification one : heard == null ? new PGNotification[0] : heard) {
                heard(one.getParameter());
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("unlisten onefold");
        }
    }

    /** Says in the records that someone waits. A record that has ended before that will not notify: its waiters look at once. */
    private void say(Connection connection) throws SQLException {
        Map<TableStatements, List<UUID>> ids = new HashMap<>();
        for (RecordId id = unsaid.poll(); id != null; id = unsaid.poll()) {
            ids.computeIfAbsent(tables.apply(id), table -> new ArrayList<>()).add(id.uuid());
        }
        for (Map.Entry<TableStatements, List<UUID>> entry : ids.entrySet()) {
            try (PreparedStatement say =
                    connection.prepareStatement(entry.getKey().get("waited"))) {
                say.setArray(
                        1, connection.createArrayOf("uuid", entry.getValue().toArray()));
                say.executeUpdate();
            }
            entry.getValue().forEach(this::wake);
        }
    }

    private void heard(String id) {
        try {
            wake(UUID.fromString(id));
        } catch (IllegalArgumentException e) {
            LOG.debug("somebody else uses the channel: {}", id);
        }
    }

    private void wake(UUID id) {
        Set<PostgresWaiter> woken = waiting.get(id);
        if (woken != null) {
            woken.forEach(one -> one.wake.run());
        }
    }

    /** One waiting caller. It is not a record, because two waiting callers with the same task are still two. */
    private static final class PostgresWaiter {
        final RecordId id;
        final Runnable wake;

        PostgresWaiter(RecordId id, Runnable wake) {
            this.id = id;
            this.wake = wake;
        }
    }
}
