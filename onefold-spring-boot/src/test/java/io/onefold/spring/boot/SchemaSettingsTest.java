package io.onefold.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Onefold;
import io.onefold.jdbc.JdbcStore;
import io.onefold.redis.RedisStore;
import io.onefold.servers.PostgresServer;
import io.onefold.servers.RedisServer;
import io.onefold.spring.legacy.Idempotent;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** Who makes the tables. */
class SchemaSettingsTest {
    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(OnefoldAutoConfiguration.class));

    @Test
    void never_makes_nothing_and_looks_at_nothing() {
        DataSource source = h2();
        runner.withBean(DataSource.class, () -> source)
                .withPropertyValues("onefold.jdbc.initialize-schema=never")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(JdbcStore.class);
                    assertThat(tables(source)).isZero();
                });
    }

    @Test
    void a_server_is_not_embedded_and_gets_no_tables_unasked() {
        PostgresServer server = PostgresServer.shared();
        DataSource source = server.dataSource(server.newDatabase());
        ApplicationContextRunner there = runner.withBean(DataSource.class, () -> source);
        there.run(context -> {
            assertThat(context).getFailure().rootCause().hasMessageContaining("table idempotent_record is missing");
            assertThat(tables(source)).isZero();
        });
        there.withPropertyValues("onefold.jdbc.initialize-schema=always").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(tables(source)).isPositive();
        });
        there.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void the_store_is_opened_after_the_migrations(@TempDir Path migrations) throws Exception {
        try (InputStream script = JdbcStore.class.getResourceAsStream("schema/h2.sql")) {
            String text = new String(Objects.requireNonNull(script).readAllBytes(), UTF_8);
            Files.writeString(migrations.resolve("V1__records.sql"), text);
        }
        DataSource source = h2();
        runner.withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withBean(DataSource.class, () -> source)
                .withPropertyValues(
                        "onefold.jdbc.initialize-schema=validate", "spring.flyway.locations=filesystem:" + migrations)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Onefold.class));
    }

    /** As its users have it: MySQL or the like for the business, Redis for tokens, and no property of ours. */
    @Test
    void who_changes_an_import_on_a_server_is_told_the_ways_to_go_on_and_each_of_them_works() {
        PostgresServer server = PostgresServer.shared();
        DataSource source = server.dataSource(server.newDatabase());
        ApplicationContextRunner legacy = runner.withBean(Coupons.class).withBean(DataSource.class, () -> source);
        legacy.run(context -> assertThat(Objects.requireNonNull(new StartFailureAnalyzer.StoreUnreachableAnalyzer()
                                .analyze(Objects.requireNonNull(context.getStartupFailure())))
                        .getAction())
                .contains("io/onefold/jdbc/schema/")
                .contains("onefold.jdbc.initialize-schema=always")
                .contains("onefold.store=redis"));
        legacy.withPropertyValues(
                        "onefold.store=redis",
                        "onefold.redis.url=redis://localhost:"
                                + RedisServer.shared().port())
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(RedisStore.class);
                    isTakenOnce(context.getBean(Coupons.class));
                });
        legacy.withPropertyValues("onefold.jdbc.initialize-schema=always").run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(JdbcStore.class);
            isTakenOnce(context.getBean(Coupons.class));
        });
    }

    private static void isTakenOnce(Coupons coupons) {
        String token = UUID.randomUUID().toString();
        assertThat(coupons.take(token)).isEqualTo("taken");
        assertThatThrownBy(() -> coupons.take(token)).hasMessageContaining("请勿重复提交");
    }

    static class Coupons {
        @Idempotent(tokenExpression = "#token")
        public String take(String token) {
            return "taken";
        }
    }

    private static Integer tables(DataSource source) {
        return Objects.requireNonNull(new JdbcTemplate(source)
                .queryForObject(
                        "select count(*) from information_schema.tables where lower(table_name) = 'idempotent_record'",
                        Integer.class));
    }

    private static DataSource h2() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return source;
    }
}
