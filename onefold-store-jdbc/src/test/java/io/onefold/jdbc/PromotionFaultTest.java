package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.servers.PostgresServer;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A standby of PostgreSQL takes over from a primary that is gone, or that is still connected. */
@Timeout(180)
@Tag("F25")
class PromotionFaultTest {
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final AtomicInteger KEYS = new AtomicInteger();

    private final PostgresServer primary = PostgresServer.start();
    private final FaultDatabase database = FaultDatabase.on(primary);
    private final PostgresServer standby = primary.startStandby();
    private final String key = "promotion-" + KEYS.incrementAndGet();
    private final RecordId id = RecordId.of("", "pay", key);

    @AfterEach
    void stop() {
        standby.close();
        primary.close();
    }

    /**
     * Calls of both modes are under way when the primary dies, and each of them is made again on the standby that takes over. Nothing runs
     * twice, and whoever was told of a result gets it again.
     */
    @Test
    void with_a_synchronous_standby_a_promotion_in_mid_load_loses_nothing_and_repeats_nothing() throws Exception {
        primary.waitForStandby();
        PromotionLoad load = new PromotionLoad(eitherPrimary());
        load.start(8);
        Await.until("much was acknowledged", () -> load.acknowledged() >= 60);
        load.loseServer(primary);
        load.awaitEnd();
        standby.promote();
        FaultDatabase promoted = new FaultDatabase(standby, database.name());
        load.repeatAll();
        assertThat(load.lost()).as("results that were told and are gone").isEmpty();
        assertThat(load.ranTwice(promoted)).isEmpty();
        assertThat(load.disagreeing(promoted))
                .as("effects without record, or records without effect")
                .isEmpty();
    }

    /** What the standby lacks is lost as a whole: record and effect of a joined call agree, whichever of them was told. */
    @Test
    void with_an_asynchronous_standby_a_promotion_forgets_whole_calls_alone() throws Exception {
        PromotionLoad load = new PromotionLoad(eitherPrimary());
        load.start(8);
        Await.until("much was acknowledged", () -> load.acknowledged() >= 60);
        primary.awaitStandby();
        Set<String> heard = load.acknowledgedKeys();
        primary.awaitStandby();
        standby.pause();
        Await.until("more was acknowledged", () -> load.acknowledged() >= heard.size() + 20);
        load.loseServer(primary);
        load.awaitEnd();
        standby.resume();
        standby.promote();
        FaultDatabase promoted = new FaultDatabase(standby, database.name());
        assertThat(load.disagreeing(promoted)).isEmpty();
        load.repeatAll();
        assertThat(load.lost()).as("lost though the standby had it").doesNotContainAnyElementsOf(heard);
        assertThat(load.disagreeing(promoted)).isEmpty();
    }

    /** Two connections of a pool lead to the primary, one of them is opened anew after the promotion. */
    @Test
    void a_former_primary_that_is_still_connected_grants_nothing_once_its_successor_was_seen() throws Exception {
        try (HikariDataSource pool = FaultDatabase.pool(eitherPrimary(), 2)) {
            JdbcStore store = JdbcStore.of(pool);
            Connection former = pool.getConnection();
            assertThat(store.claim(claim("before"))).isInstanceOf(ClaimResult.Acquired.class);
            Connection lost = pool.getConnection();
            former.close();
            assertThat(store.claim(claim("before too"))).isInstanceOf(ClaimResult.Acquired.class);
            primary.awaitStandby();
            standby.promote();
            former = pool.getConnection();
            pool.evictConnection(lost);
            assertThat(store.claim(claim("after"))).isInstanceOf(ClaimResult.Acquired.class);
            assertThat(port(former)).isEqualTo(primary.port());
            Connection latter = pool.getConnection();
            assertThat(port(latter)).isEqualTo(standby.port());
            refusesToJoin(store, former);
            former.close();
            assertThatThrownBy(() -> store.claim(claim("after")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("former primary");
            latter.close();
            Await.value("it goes on", () -> claimed(store, "later"), "Acquired"::equals);
            assertThat(claimed(store, "after")).isEqualTo("RecordSnapshot");
            assertThat(claimed(store, "before")).isEqualTo("RecordSnapshot");
        }
    }

    private void refusesToJoin(JdbcStore store, Connection former) throws SQLException {
        former.setAutoCommit(false);
        try (StoreTransactions.RecordTransaction joined = store.join(former)) {
            assertThatThrownBy(() -> joined.enter(id))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("former primary");
        }
        former.rollback();
        former.setAutoCommit(true);
    }

    /** Also where the user may not ask for the timeline. */
    @Test
    void a_standby_is_not_asked_for_records_and_is_after_its_promotion() throws Exception {
        JdbcStore store = JdbcStore.of(database.source());
        assertThat(claimed(store, key)).isEqualTo("Acquired");
        database.execute("create role ordinary login password 'ordinary'");
        database.execute("grant select, insert on all tables in schema public to ordinary");
        database.execute("revoke execute on function pg_control_system() from public");
        primary.awaitStandby();
        PGSimpleDataSource ordinary = new PGSimpleDataSource();
        ordinary.setUrl(standby.url(database.name()));
        ordinary.setUser("ordinary");
        ordinary.setPassword("ordinary");
        List<JdbcStore> there = List.of(JdbcStore.of(standby.dataSource(database.name())), JdbcStore.of(ordinary));
        for (JdbcStore one : there) {
            assertThatThrownBy(() -> one.find(id))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("standby");
        }
        primary.kill();
        standby.promote();
        for (JdbcStore one : there) {
            assertThat(claimed(one, key)).isEqualTo("RecordSnapshot");
        }
    }

    private DataSource eitherPrimary() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + standby.port() + ",127.0.0.1:" + primary.port() + "/"
                + database.name() + "?targetServerType=primary&hostRecheckSeconds=0");
        source.setUser(primary.user());
        source.setPassword(primary.password());
        return source;
    }

    private static int port(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select inet_server_port()")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static Claim claim(String key) {
        return Claim.of(RecordId.of("", "pay", key), UUID.randomUUID(), LEASE);
    }

    private static String claimed(JdbcStore store, String key) {
        try {
            return store.claim(claim(key)).getClass().getSimpleName();
        } catch (StoreException e) {
            return "StoreException";
        }
    }
}
