package io.onefold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.jdbc.JdbcStore;
import io.onefold.servers.PostgresServer;
import io.onefold.servers.RedisCluster;
import io.onefold.servers.RedisSentinel;
import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.TieredStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The Redis before a PostgreSQL is lost while two nodes are at work, leased and joined. Effects are rows of the database, and are
 * counted in the end.
 */
@Timeout(120)
@Tag("F12")
@Tag("F13")
class FrontFailoverFaultTest {
    private static final Operation<String> PAY =
            Operation.of("pay", String.class).waitFor(Duration.ofSeconds(20));
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final int CALLERS = 4;
    private static final int CALLS_PER_KEY = 5;
    private static final int SOME = 200;

    /** No call waits for the front for longer than a few timeouts, and nobody is told for longer than 5 s that it runs. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(10);

    private final HikariDataSource pool = pool();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Thread> callers = new ArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger drawn = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();
    private final Map<String, String> results = new ConcurrentHashMap<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicInteger holders = new AtomicInteger();
    private final AtomicLong lastFence = new AtomicLong();
    private final AtomicInteger sections = new AtomicInteger();
    private volatile boolean over;

    /** One process with its own connections to Redis. */
    private record Node(RedisConnections redis, TieredStore door, Onefold onefold, FencedLocks locks) {}

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(
                PostgresServer.shared().dataSource(PostgresServer.shared().newDatabase()));
        config.setMaximumPoolSize(24);
        return new HikariDataSource(config);
    }

    @BeforeEach
    void createEffects() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table effect (name text not null)");
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        end();
        nodes.forEach(node -> {
            node.locks.close();
            node.onefold.close();
            node.redis.close();
        });
        pool.close();
    }

    @Test
    void a_replica_without_the_last_writes_takes_over() throws Exception {
        try (RedisSentinel sentinel = RedisSentinel.start()) {
            begin(() -> sentinel(sentinel));
            awaitCalls("before");
            int master = sentinel.masterPort();
            cutReplication(sentinel, replicaOf(sentinel, master));
            awaitCalls("which the replica does not hear of");
            sentinel.killMaster();
            awaitShut();
            sentinel.awaitFailover(master);
            awaitRecovery();
            requireOneEffectEach();
        }
    }

    @Test
    void a_master_that_was_cut_off_comes_back_with_what_it_had() throws Exception {
        try (RedisSentinel sentinel = RedisSentinel.start()) {
            begin(() -> sentinel(sentinel));
            awaitCalls("before");
            int master = sentinel.masterPort();
            sentinel.pauseMaster();
            awaitShut();
            sentinel.awaitFailover(master);
            sentinel.resume();
            awaitRecovery();
            requireOneEffectEach();
        }
    }

    @Test
    void a_master_of_a_cluster_is_killed() throws Exception {
        try (RedisCluster cluster = RedisCluster.start()) {
            begin(() -> cluster(cluster));
            awaitCalls("before");
            cluster.kill(cluster.masters().get(0));
            awaitShut();
            cluster.awaitOk();
            awaitRecovery();
            requireOneEffectEach();
        }
    }

    @Test
    void a_front_that_answers_nothing_is_left_alone_until_it_answers_again() throws Exception {
        try (RedisServer server = RedisServer.start();
                TcpProxy network = TcpProxy.to(server.port())) {
            begin(() -> redis("redis://127.0.0.1:" + network.port()));
            awaitCalls("before");
            network.stall();
            awaitShut();
            awaitCalls("of the truth alone");
            network.flow();
            awaitRecovery();
            server.command("FLUSHALL");
            awaitCalls("after all was forgotten");
            requireOneEffectEach();
        }
    }

    private static RedisConnections redis(String url) {
        return RedisConnections.builder()
                .url(url)
                .timeout(TIMEOUT)
                .connectTimeout(TIMEOUT)
                .build();
    }

    private static RedisConnections sentinel(RedisSentinel sentinel) {
        String[] sentinels = sentinel.sentinelPorts().stream()
                .map(port -> "127.0.0.1:" + port)
                .toArray(String[]::new);
        return RedisConnections.builder()
                .sentinel(sentinel.masterName(), sentinels)
                .timeout(TIMEOUT)
                .connectTimeout(TIMEOUT)
                .build();
    }

    private static RedisConnections cluster(RedisCluster cluster) {
        String[] servers =
                cluster.ports().stream().map(port -> "127.0.0.1:" + port).toArray(String[]::new);
        return RedisConnections.builder()
                .cluster(servers)
                .timeout(TIMEOUT)
                .connectTimeout(TIMEOUT)
                .build();
    }

    private static int replicaOf(RedisSentinel sentinel, int master) {
        Matcher replica =
                Pattern.compile("slave0:.*port=(\\d+)").matcher(sentinel.command(master, "INFO", "replication"));
        assertThat(replica.find()).isTrue();
        return Integer.parseInt(replica.group(1));
    }

    /** Its data stay as they are: it asks its master for more under a name that the master does not know. */
    private static void cutReplication(RedisSentinel sentinel, int replica) {
        sentinel.command(replica, "CONFIG", "SET", "masteruser", "nobody");
        sentinel.command(replica, "CONFIG", "SET", "masterauth", "nothing");
        sentinel.command(replica, "CLIENT", "KILL", "TYPE", "master");
        Redises.await(
                "the replica has lost its master",
                () -> sentinel.command(replica, "INFO", "replication").contains("master_link_status:down"));
    }

    private void begin(Supplier<RedisConnections> connections) {
        for (int i = 0; i < 2; i++) {
            RedisConnections redis = connections.get();
            JdbcStore truth = JdbcStore.of(pool);
            TieredStore door = TieredStore.over(RedisStore.front(redis), truth, truth::epoch, System::nanoTime);
            Node node = new Node(redis, door, Onefold.on(door), FencedLocks.on(door));
            nodes.add(node);
            for (int j = 0; j < CALLERS; j++) {
                callers.add(new Thread(() -> callUntilOver(node), "caller " + i + j));
            }
            callers.add(new Thread(() -> lockUntilOver(node), "locker " + i));
        }
        callers.forEach(Thread::start);
    }

    private void lockUntilOver(Node node) {
        while (!over) {
            try {
                node.locks.run("till", held -> {
                    long before = lastFence.getAndSet(held.fence());
                    if (holders.incrementAndGet() != 1 || held.fence() <= before) {
                        wrong.add("the lock was held by two, or with fence " + held.fence() + " after " + before);
                    }
                    sections.incrementAndGet();
                    holders.decrementAndGet();
                    return null;
                });
            } catch (RuntimeException e) {
                wrong.add("the lock failed: " + e);
            }
        }
    }

    private void callUntilOver(Node node) {
        while (!over) {
            int newest = drawn.incrementAndGet() / CALLS_PER_KEY;
            boolean again = newest > 0 && ThreadLocalRandom.current().nextInt(3) == 0;
            int number = again ? ThreadLocalRandom.current().nextInt(newest) : newest;
            long began = System.nanoTime();
            try {
                check("k" + number, call(node, "k" + number, number % 2 == 0));
            } catch (Exception e) {
                wrong.add("k" + number + " failed: " + e);
            }
            longest.accumulateAndGet(System.nanoTime() - began, Math::max);
            calls.incrementAndGet();
        }
    }

    private Outcome<String> call(Node node, String name, boolean joined) throws SQLException {
        if (joined) {
            return node.onefold.attemptInTransaction(
                    PAY, Key.of(name), (attempt, connection) -> effect(connection, name));
        }
        return node.onefold.attempt(PAY, Key.of(name), attempt -> {
            try (Connection connection = pool.getConnection()) {
                return effect(connection, name);
            }
        });
    }

    private static String effect(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("insert into effect values (?)")) {
            statement.setString(1, name);
            statement.executeUpdate();
        }
        return name + " " + UUID.randomUUID();
    }

    private void check(String name, Outcome<String> outcome) {
        String result = outcome instanceof Outcome.Executed<String> || outcome instanceof Outcome.Replayed<String>
                ? String.valueOf(outcome.orThrow())
                : null;
        String known = result == null ? null : results.putIfAbsent(name, result);
        if (result == null || (known != null && !known.equals(result))) {
            wrong.add(name + " was told " + outcome + " after " + known);
        }
    }

    private void awaitCalls(String which) {
        int until = calls.get() + SOME;
        Until.met("there were calls " + which, () -> calls.get() >= until);
    }

    private void awaitShut() {
        Until.met(
                "each node has noticed",
                () -> nodes.stream().allMatch(node -> node.door.health().shuts() > 0));
    }

    private void awaitRecovery() {
        List<Long> hits = nodes.stream().map(node -> node.door.health().hits()).toList();
        Until.met("the front answers each node again", () -> {
            for (int i = 0; i < nodes.size(); i++) {
                TieredStore.CacheHealth health = nodes.get(i).door.health();
                if (!health.open() || health.hits() < hits.get(i) + SOME / 4) {
                    return false;
                }
            }
            return true;
        });
    }

    private void end() throws InterruptedException {
        over = true;
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private void requireOneEffectEach() throws Exception {
        end();
        assertThat(wrong).isEmpty();
        assertThat(sections).hasPositiveValue();
        assertThat(Duration.ofNanos(longest.get())).isLessThan(LONGEST_CALL);
        List<String> effects = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select name from effect")) {
            while (rows.next()) {
                effects.add(rows.getString(1));
            }
        }
        assertThat(effects).containsExactlyInAnyOrderElementsOf(results.keySet());
    }
}
