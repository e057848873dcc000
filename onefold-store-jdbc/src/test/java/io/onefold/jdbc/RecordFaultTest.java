package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.OperationEvent;
import io.onefold.Outcome;
import io.onefold.payload.Codec;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Keeps that are too short, duplicates that are too late, results that cannot be kept. */
@ParameterizedClass
@EnumSource(
        value = Database.class,
        names = {"POSTGRESQL", "MARIADB"})
@Timeout(60)
class RecordFaultTest {
    private static final Operation<String> BRIEF = Pay.ONCE.keepFor(Duration.ofMillis(50));
    private static final AtomicInteger KEYS = new AtomicInteger();

    @Parameter
    Database kind = Database.POSTGRESQL;

    private final String key = "record-" + KEYS.incrementAndGet();
    private final Set<OperationEvent.Kind> events = ConcurrentHashMap.newKeySet();
    private FaultDatabase database = FaultDatabase.shared(Database.POSTGRESQL);
    private HikariDataSource pool = new HikariDataSource();
    private Onefold onefold = Onefold.on(new io.onefold.store.MemoryStore());

    @BeforeEach
    void open() {
        database = FaultDatabase.shared(kind);
        pool = database.pool(4);
        onefold = Onefold.builder(JdbcStore.of(pool))
                .listener(event -> events.add(event.kind()))
                .build();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    @Tag("F21")
    void a_keep_cannot_end_before_the_work_does() throws Exception {
        StoredRecord.RecordTimes[] during = new StoredRecord.RecordTimes[1];
        onefold.run(BRIEF, Key.of(key), attempt -> {
            RecordSnapshot seen = Await.value(
                    "six keeps are over",
                    this::seen,
                    now -> now.now() - now.record().times().createdAt() > 300_000);
            onefold.store().sweep(1_000);
            assertThat(seen().record().status()).isEqualTo(Status.PROCESSING);
            assertThat(onefold.attempt(BRIEF, Key.of(key), again -> "again")).isInstanceOf(Outcome.InProgress.class);
            during[0] = seen.record().times();
            return "done";
        });
        StoredRecord.RecordTimes times = seen().record().times();
        assertThat(times.expireAt()).isEqualTo(times.updatedAt() + 50_000);
        assertThat(times.updatedAt()).isGreaterThan(during[0].createdAt() + 300_000);
    }

    @Test
    @Tag("F22")
    void a_late_duplicate_runs_as_new_and_is_told_of() throws Exception {
        onefold.run(BRIEF, Key.of(key), attempt -> "first");
        awaitExpired();
        assertThat(onefold.attempt(BRIEF, Key.of(key), attempt -> "second"))
                .isEqualTo(new Outcome.Executed<>("second", true));
        assertThat(events).contains(OperationEvent.Kind.LATE_DUPLICATE);
    }

    @Test
    @Tag("F22")
    void a_late_duplicate_runs_as_new_in_a_transaction() throws Exception {
        onefold.inTransaction(BRIEF, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, "first"));
        awaitExpired();
        assertThat(onefold.attemptInTransaction(
                        Pay.ONCE, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, "second")))
                .isEqualTo(new Outcome.Executed<>("second", true));
        assertThat(onefold.attemptInTransaction(
                        Pay.ONCE, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, "third")))
                .isEqualTo(new Outcome.Replayed<>("second", true));
        assertThat(database.effects(key)).isEqualTo(2);
    }

    @Test
    @Tag("F22")
    void a_late_duplicate_is_refused_while_a_tombstone_stands() throws Exception {
        Operation<String> strict = BRIEF.refuseLateDuplicates(Duration.ofHours(1));
        onefold.inTransaction(strict, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, "first"));
        awaitExpired();
        assertThat(onefold.attemptInTransaction(
                        strict, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, "second")))
                .isInstanceOf(Outcome.Rejected.class);
        onefold.store().sweep(1_000);
        assertThat(onefold.attempt(strict, Key.of(key), attempt -> "third")).isInstanceOf(Outcome.Rejected.class);
        assertThat(database.effects(key)).isEqualTo(1);
    }

    @Test
    @Tag("F23")
    void a_result_that_is_too_large_is_committed_as_not_kept_and_never_run_again() throws Exception {
        Operation<String> small = Pay.ONCE.maxResultBytes(10);
        String large = "x".repeat(11);
        assertThat(onefold.attemptInTransaction(
                        small, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, large)))
                .isEqualTo(new Outcome.Executed<>(large, true));
        assertThat(onefold.attemptInTransaction(
                        small, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, large)))
                .isEqualTo(new Outcome.Replayed<>(null, false));
        assertThat(onefold.attempt(small, Key.of(key), attempt -> large))
                .isEqualTo(new Outcome.Replayed<>(null, false));
        assertThat(database.effects(key)).isEqualTo(1);
    }

    @Test
    @Tag("F23")
    void a_result_that_cannot_be_written_is_committed_as_not_kept_and_never_run_again() throws Exception {
        Operation<Object> odd = Operation.of("odd", Object.class);
        Onefold other =
                Onefold.builder(JdbcStore.of(pool)).codec(new Unwilling()).build();
        for (Outcome<Object> expected :
                List.of(new Outcome.Executed<Object>("odd", true), new Outcome.Replayed<Object>(null, false))) {
            assertThat(other.attemptInTransaction(
                            odd, Key.of(key), (attempt, connection) -> Pay.inLedger(connection, key, "odd")))
                    .isEqualTo(expected);
        }
        assertThat(database.effects(key)).isEqualTo(1);
    }

    /** A codec that cannot write what it is given. */
    private static final class Unwilling implements Codec {
        @Override
        public String id() {
            return "unwilling";
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void check(Type type) {}

        @Override
        public byte[] encode(@Nullable Object value, Type type) {
            throw new IllegalStateException("not this one");
        }

        @Override
        public @Nullable Object decode(byte[] bytes, Type type, int version) {
            throw new IllegalStateException("not this one");
        }
    }

    private void awaitExpired() throws Exception {
        Await.value("the keep is over", this::seen, seen -> seen.record().expired(seen.now()));
    }

    private RecordSnapshot seen() {
        StoredRecord record = onefold.find(Pay.ONCE, Key.of(key)).orElseThrow();
        return Objects.requireNonNull(onefold.store().find(record.id()));
    }
}
