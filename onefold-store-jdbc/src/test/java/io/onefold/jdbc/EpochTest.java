package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.onefold.servers.PostgresServer;
import io.onefold.store.StoreException;
import java.util.UUID;
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

    private static JdbcStore ordinary(FaultDatabase database) {
        String role = "role_" + UUID.randomUUID().toString().replace("-", "");
        database.execute("create role " + role + " login password 'ordinary'");
        database.execute("grant select on all tables in schema public to " + role);
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.server().url(database.name()));
        source.setUser(role);
        source.setPassword("ordinary");
        return JdbcStore.builder(source).schema(Schema.NONE).build();
    }
}
