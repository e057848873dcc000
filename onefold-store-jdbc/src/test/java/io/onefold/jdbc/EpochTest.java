package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.servers.PostgresServer;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;

/** What a database says it is, and when it says something else. */
@Timeout(120)
class EpochTest {
    @Test
    void it_stays_until_a_new_one_begins() {
        for (Database database : Database.values()) {
            DataSource source = database.fresh();
            JdbcStore store = JdbcStore.of(source);
            String first = store.epoch();
            assertThat(JdbcStore.of(source).epoch()).isEqualTo(first).isNotBlank();
            store.newEpoch();
            assertThat(store.epoch())
                    .isNotEqualTo(first)
                    .isEqualTo(JdbcStore.of(source).epoch());
        }
    }

    @Test
    @Tag("F38")
    void a_standby_has_none_and_another_one_from_its_promotion_on() {
        try (PostgresServer server = PostgresServer.start()) {
            FaultDatabase database = FaultDatabase.on(server);
            JdbcStore store = JdbcStore.of(database.source());
            String primary = store.epoch();
            server.restart();
            assertThat(store.epoch()).as("a crash alone begins none").isEqualTo(primary);
            // so much to be written that the checkpoint after the promotion takes its time
            database.execute("create table much as select generate_series(1, 200000) as n");
            server.restartAsStandby();
            assertThatThrownBy(store::epoch).isInstanceOf(StoreException.class);
            database.execute("select pg_promote()");
            String promoted = store.epoch();
            assertThat(promoted).isNotEqualTo(primary);
            database.execute("checkpoint");
            assertThat(store.epoch()).as("and it stays").isEqualTo(promoted);
        }
    }

    @Test
    void an_ordinary_user_may_read_the_timeline() {
        FaultDatabase database = FaultDatabase.on(PostgresServer.shared());
        JdbcStore superuser = JdbcStore.of(database.source());
        assertThat(ordinary(database).epoch()).isEqualTo(superuser.epoch());
    }

    @Test
    void whoever_may_not_read_the_timeline_has_an_epoch_without_it_and_is_told_so_once() {
        FaultDatabase database = FaultDatabase.on(PostgresServer.shared());
        JdbcStore superuser = JdbcStore.of(database.source());
        database.execute("revoke execute on function pg_control_system() from public");
        JdbcStore ordinary = ordinary(database);
        Logger logger = (Logger) LoggerFactory.getLogger(PostgresDialect.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        try {
            String epoch = ordinary.epoch();
            assertThat(superuser.epoch()).startsWith(epoch + "-");
            assertThat(ordinary.epoch()).isEqualTo(epoch);
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
        assertThat(lines.list).singleElement().asString().contains("newEpoch()");
    }

    @Test
    void whoever_may_not_read_the_timeline_has_a_store_all_the_same_and_is_told_so_once() throws SQLException {
        FaultDatabase database = FaultDatabase.on(PostgresServer.shared());
        JdbcStore superuser = JdbcStore.of(database.source());
        assertThat(superuser.sweep(1)).isZero();
        database.execute("revoke execute on function pg_control_system() from public");
        Logger logger = (Logger) LoggerFactory.getLogger(DatabaseIdentity.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        try {
            JdbcStore ordinary = ordinary(database);
            for (int i = 0; i < 3; i++) {
                assertThat(ordinary.find(RecordId.of("", "pay", "nothing"))).isNull();
            }
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
        assertThat(lines.list).singleElement().asString().contains("Cannot read the WAL timeline");
    }

    /** With a lesser question, the store would not notice a former primary for as long as it is open. */
    @Test
    void a_store_is_not_opened_while_the_question_for_the_timeline_fails_for_a_while() {
        FaultDatabase database = FaultDatabase.on(PostgresServer.shared());
        JdbcStore unused = JdbcStore.of(database.source());
        AtomicBoolean failing = new AtomicBoolean(true);
        DataSource source = before(database.source(), "pg_control_system", () -> {
            if (failing.get()) {
                throw new SQLException("terminating connection", "57P01");
            }
        });
        assertThatThrownBy(() -> JdbcStore.of(source))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("could not be opened");
        failing.set(false);
        assertThat(JdbcStore.of(source).sweep(1)).isZero();
    }

    /** An upgrade of the server or a logical copy of the database: its timelines are not those of the cluster before. */
    @Test
    void another_cluster_that_took_over_may_begin_its_timelines_anew() {
        FaultDatabase later = FaultDatabase.on(PostgresServer.shared());
        JdbcStore unused = JdbcStore.of(later.source());
        try (PostgresServer server = PostgresServer.start()) {
            server.createDatabase(later.name());
            FaultDatabase earlier = new FaultDatabase(server, later.name());
            JdbcStore unusedToo = JdbcStore.of(earlier.source());
            earlier.execute("update onefold_meta set setting = 'alike' where name = 'identity'");
            later.execute("update onefold_meta set setting = 'alike' where name = 'identity'");
            server.restartAsStandby();
            earlier.execute("select pg_promote()");
            AtomicReference<DataSource> target = new AtomicReference<>(earlier.source());
            JdbcStore store = JdbcStore.builder(new ForwardingDataSource(earlier.source()) {
                        @Override
                        DataSource target() {
                            return Objects.requireNonNull(target.get());
                        }
                    })
                    .build();
            assertThat(store.find(RecordId.of("", "pay", "nothing"))).isNull();
            target.set(later.source());
            assertThat(store.find(RecordId.of("", "pay", "nothing"))).isNull();
        }
    }

    private static DataSource before(DataSource source, String text, Passing.Act act) {
        return new ForwardingDataSource(source) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        Connection.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (self, method, arguments) -> {
                            if (method.getName().equals("prepareStatement")
                                    && String.valueOf(arguments[0]).contains(text)) {
                                act.run();
                            }
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
            }
        };
    }

    private static JdbcStore ordinary(FaultDatabase database) {
        String role = "role_" + UUID.randomUUID().toString().replace("-", "");
        database.execute("create role " + role + " login password 'ordinary'");
        database.execute("grant select on all tables in schema public to " + role);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.server().url(database.name()));
        source.setUser(role);
        source.setPassword("ordinary");
        return JdbcStore.builder(source).schema(SchemaMode.NONE).build();
    }
}
