package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.StoreTransactions;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Fences after a clock was set back, beyond the contract: joined calls, operations with tables of their own, and races with sweeps. */
@ParameterizedClass
@EnumSource(Database.class)
@Tag("F16")
@Timeout(120)
class FenceFloorTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final RecordTable OWN =
            RecordTable.named("own_record").holding("own").column("n", "bigint", claim -> 1L);

    @Parameter
    Database database = Database.H2;

    private HikariDataSource pool = new HikariDataSource();

    @BeforeEach
    void open() {
        pool = Database.pool(database.fresh(), 12);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private JdbcStore store(Duration behind) {
        return store(behind, Duration.ofMillis(10));
    }

    private JdbcStore store(Duration behind, Duration stall) {
        return JdbcStore.builder(pool)
                .table(OWN)
                .stall(stall)
                .clock(now -> "(" + now + " - " + behind.toNanos() / 1_000 + ")")
                .build();
    }

    /** A record that was claimed, has ended, and is removed again. */
    private static Ticket removed(JdbcStore store, String operation) throws Exception {
        RecordId id = RecordId.of("scope", operation, "key-" + UUID.randomUUID());
        Ticket ticket = won(store, Claim.of(id, UUID.randomUUID(), LONG));
        assertThat(store.update(ticket, new Change.Release(RetentionPeriod.of(SHORT))))
                .isEqualTo(UpdateResult.APPLIED);
        Await.until("the record is removed", () -> {
            store.sweep(10);
            return store.find(id) == null;
        });
        return ticket;
    }

    static Ticket won(JdbcStore store, Claim claim) {
        ClaimResult claimed = store.claim(claim);
        assertThat(claimed).isInstanceOf(ClaimResult.Acquired.class);
        return new Ticket(claim.id(), claim.owner(), ((ClaimResult.Acquired) claimed).fence());
    }

    @Test
    void a_joined_call_has_a_fence_above_that_of_a_record_that_was_removed_before_the_clock_was_set_back()
            throws Exception {
        Ticket removed = removed(store(Duration.ZERO), "shared");
        JdbcStore behind = store(LONG);
        try (StoreTransactions.RecordTransaction transaction = behind.begin()) {
            assertThat(transaction.enter(removed.id()).fence()).isGreaterThan(removed.fence());
        }
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            StoreTransactions.RecordLockResult entry;
            try (StoreTransactions.RecordTransaction transaction = behind.join(connection)) {
                entry = transaction.enter(removed.id());
                assertThat(entry.locked()).isTrue();
                assertThat(entry.seen()).isNull();
                assertThat(entry.fence()).isGreaterThan(removed.fence());
                Claim claim = Claim.of(removed.id(), UUID.randomUUID(), LONG);
                assertThat(transaction.write(claim, entry.fence(), new Change.Release(RetentionPeriod.of(LONG))))
                        .isTrue();
                connection.commit();
            }
        }
    }

    @Test
    void a_table_of_its_own_has_the_same_floor() throws Exception {
        Ticket removed = removed(store(Duration.ZERO), "own");
        JdbcStore behind = store(LONG);
        Ticket next = won(behind, Claim.of(removed.id(), UUID.randomUUID(), LONG));
        assertThat(next.fence()).isGreaterThan(removed.fence());
    }

    @Test
    void floors_below_the_last_one_are_dropped() throws Exception {
        JdbcStore store = store(Duration.ZERO);
        for (int i = 0; i < 4; i++) {
            removed(store, "shared");
        }
        assertThat(Sqls.texts(pool, "select floor from onefold_fence")).hasSizeBetween(1, 2);
    }

    /** Nodes whose databases have different times stand for a clock that jumps at any moment. */
    @Test
    void fences_of_a_key_rise_while_clocks_jump_and_records_are_claimed_and_swept_at_once() throws Exception {
        List<JdbcStore> nodes = List.of(
                store(Duration.ZERO, FenceFloor.STALL),
                store(LONG, FenceFloor.STALL),
                store(LONG.multipliedBy(2), FenceFloor.STALL));
        List<RecordId> ids = new ArrayList<>();
        List<AtomicLong> highest = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(RecordId.of("scope", "shared", "key-" + i));
            highest.add(new AtomicLong());
        }
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger wins = new AtomicInteger();
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (JdbcStore node : nodes) {
            all.add(beside(() -> {
                while (!over.get()) {
                    node.sweep(10);
                }
                return null;
            }));
        }
        for (int worker = 0; worker < 3; worker++) {
            Random random = new Random(worker);
            all.add(beside(() -> {
                while (wins.get() < 15) {
                    int key = random.nextInt(ids.size());
                    long before = highest.get(key).get();
                    JdbcStore node = nodes.get(random.nextInt(nodes.size()));
                    Claim claim = Claim.of(ids.get(key), UUID.randomUUID(), LONG.multipliedBy(9));
                    if (node.claim(claim) instanceof ClaimResult.Acquired won) {
                        assertThat(won.fence()).isGreaterThan(before);
                        highest.get(key).accumulateAndGet(won.fence(), Math::max);
                        wins.incrementAndGet();
                        node.update(
                                new Ticket(claim.id(), claim.owner(), won.fence()),
                                new Change.Release(RetentionPeriod.of(SHORT)));
                    }
                }
                return null;
            }));
        }
        try {
            CompletableFuture.allOf(all.subList(nodes.size(), all.size()).toArray(CompletableFuture[]::new))
                    .get(100, TimeUnit.SECONDS);
        } finally {
            over.set(true);
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
    }

    static <T> CompletableFuture<T> beside(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, task -> new Thread(task).start());
    }
}
