package io.onefold.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.servers.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Leased and joined calls on many keys, by callers that stop at the first answer that is not certain. */
final class PromotionLoad {
    private static final Operation<String> LEASED = Pay.leased(Duration.ofMillis(500));
    private static final Operation<String> JOINED = Operation.of("pay joined", String.class)
            .waitFor(Duration.ZERO)
            .lease(Duration.ofMillis(500), Duration.ofMinutes(1));

    private final DataSource source;
    private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
    private final Map<String, String> again = new ConcurrentHashMap<>();
    private final List<Thread> callers = new ArrayList<>();
    private @Nullable HikariDataSource pool;

    PromotionLoad(DataSource source) {
        this.source = source;
        JdbcStore unused = JdbcStore.of(source);
    }

    void start(int threads) {
        pool = FaultDatabase.pool(source, threads);
        Onefold onefold = Onefold.on(
                JdbcStore.builder(pool).timeout(Duration.ofSeconds(2)).build());
        for (int i = 0; i < threads; i++) {
            String prefix = (i % 2 == 0 ? "joined-" : "leased-") + i + "-";
            Thread caller = new Thread(() -> call(onefold, prefix), "caller-" + i);
            callers.add(caller);
            caller.start();
        }
    }

    private void call(Onefold onefold, String prefix) {
        for (int n = 0; ; n++) {
            String key = prefix + n;
            String result = attempt(onefold, key);
            if (!result.equals(executed(key))) {
                return;
            }
            acknowledged.put(key, result);
        }
    }

    private static String executed(String key) {
        return String.valueOf(new Outcome.Executed<>("result of " + key, true));
    }

    private String attempt(Onefold onefold, String key) {
        AtomicInteger run = runs.computeIfAbsent(key, same -> new AtomicInteger());
        try {
            Outcome<String> outcome = key.startsWith("joined")
                    ? onefold.attemptInTransaction(
                            JOINED,
                            Key.of(key),
                            (attempt, connection) -> Pay.inLedger(connection, key, "result of " + key))
                    : onefold.attempt(LEASED, Key.of(key), attempt -> {
                        run.incrementAndGet();
                        return "result of " + key;
                    });
            return String.valueOf(outcome);
        } catch (Exception e) {
            return String.valueOf(e);
        }
    }

    int acknowledged() {
        return acknowledged.size();
    }

    Set<String> acknowledgedKeys() {
        return Set.copyOf(acknowledged.keySet());
    }

    /** Callers no longer wait for long for a server that is gone. */
    void loseServer(PostgresServer server) {
        Objects.requireNonNull(pool).setConnectionTimeout(250);
        server.kill();
    }

    void awaitEnd() throws InterruptedException {
        for (Thread caller : callers) {
            caller.join();
        }
        Objects.requireNonNull(pool).close();
    }

    /** Makes each call once more, with a node that has just started. */
    void repeatAll() {
        try (HikariDataSource pool = FaultDatabase.pool(source, 4)) {
            Onefold onefold = Onefold.on(JdbcStore.of(pool));
            runs.keySet().forEach(key -> again.put(key, attempt(onefold, key)));
        }
    }

    /** What was told before the promotion and is not told again. */
    Set<String> lost() {
        return acknowledged.keySet().stream()
                .filter(key -> !String.valueOf(new Outcome.Replayed<>("result of " + key, true))
                        .equals(again.get(key)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Leased calls whose work ran twice, and joined calls with two effects. */
    Set<String> ranTwice(FaultDatabase database) {
        return runs.entrySet().stream()
                .filter(run -> run.getValue().get() > 1 || database.effects(run.getKey()) > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Joined calls of which the database has the effect and not the record, or the record and not the effect, or two effects. */
    Set<String> disagreeing(FaultDatabase database) {
        return runs.keySet().stream()
                .filter(key -> key.startsWith("joined"))
                .filter(key -> database.effects(key)
                        != database.number(
                                "select count(*) from idempotent_record where status = 1 and idem_key = '" + key + "'"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
