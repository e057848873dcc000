package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import io.onefold.TokenStore;
import io.onefold.jdbc.JdbcStore;
import io.onefold.jdbc.JdbcTokenStore;
import io.onefold.redis.RedisTokenStore;
import io.onefold.servers.RedisServer;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/** Where tokens are kept. */
class TokensTest {
    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OnefoldAutoConfiguration.class))
            .withPropertyValues("onefold.tokens.enabled=true", "onefold.tokens.life=5m");

    @Test
    void they_are_beside_the_records_whoever_asks_for_them_first() {
        plain.withUserConfiguration(Early.class)
                .withBean(DataSource.class, source())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(issued(context)).isEqualTo(TokenStore.TokenCheck.VALID);
                    assertThat(context.getBean(TokenStore.class).life()).hasToString("PT5M");
                });
    }

    @Test
    void they_are_in_the_schema_of_the_records() {
        DataSource source = source().get();
        new JdbcTemplate(source).execute("create schema app");
        plain.withBean(DataSource.class, () -> source)
                .withPropertyValues("onefold.jdbc.table-name=app.records")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(issued(context)).isEqualTo(TokenStore.TokenCheck.VALID);
                    assertThat(new JdbcTemplate(source)
                                    .queryForObject("select count(*) from app.onefold_token", Integer.class))
                            .isEqualTo(1);
                });
    }

    @Test
    void without_their_table_the_start_says_how_to_make_it() {
        plain.withBean(DataSource.class, source())
                .withPropertyValues("onefold.jdbc.initialize-schema=never")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .satisfies(root -> assertThat(context.getStartupFailure())
                                .hasStackTraceContaining(UnusableStoreException.class.getName())
                                .hasStackTraceContaining("onefold_token")));
    }

    @Test
    void a_store_of_ones_own_in_a_database_has_them_too() {
        DataSource source = source().get();
        plain.withBean("own", JdbcStore.class, () -> JdbcStore.of(source)).run(context -> {
            assertThat(context.getBean(TokenStore.class)).isInstanceOf(JdbcTokenStore.class);
            assertThat(issued(context)).isEqualTo(TokenStore.TokenCheck.VALID);
        });
    }

    @Test
    void they_are_in_the_redis_of_the_records() {
        String url =
                "onefold.redis.url=redis://127.0.0.1:" + RedisServer.shared().port() + "/0";
        plain.withPropertyValues("onefold.store=redis", url, "onefold.redis.prefix=" + UUID.randomUUID())
                .run(context -> {
                    assertThat(context.getBean(TokenStore.class)).isInstanceOf(RedisTokenStore.class);
                    assertThat(issued(context)).isEqualTo(TokenStore.TokenCheck.VALID);
                });
    }

    @Test
    void where_there_is_no_place_for_them_the_property_is_refused() {
        plain.withPropertyValues("onefold.store=memory").run(TokensTest::refused);
        plain.withBean(Store.class, MemoryStore::new).run(TokensTest::refused);
        plain.withBean(Onefold.class, () -> Onefold.on(new MemoryStore())).run(TokensTest::refused);
    }

    private static void refused(AssertableApplicationContext context) {
        assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("onefold.tokens.enabled")
                .hasMessageContaining("define a bean of type Tokens");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "redis"})
    void a_store_that_is_missing_is_told_first(String store) {
        plain.withPropertyValues("onefold.store=" + store)
                .run(context -> assertThat(context).getFailure().rootCause().isInstanceOf(MissingStoreException.class));
    }

    private static TokenStore.TokenCheck issued(AssertableApplicationContext context) {
        TokenStore tokens = context.getBean(TokenStore.class);
        return tokens.check(tokens.issue("submit", "ann"), "submit", "ann");
    }

    static class Early {
        @Bean
        String first(TokenStore tokens) {
            return tokens.issue("early", "bird");
        }
    }

    private static Supplier<DataSource> source() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return () -> source;
    }
}
