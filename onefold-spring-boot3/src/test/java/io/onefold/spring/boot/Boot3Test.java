package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import io.onefold.jackson2.Jackson2Codec;
import io.onefold.jdbc.JdbcStore;
import io.onefold.payload.Codec;
import io.onefold.redis.RedisConnections;
import io.onefold.spring.Idempotent;
import io.onefold.spring.SpringTransactionSupport;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.TieredStore;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.SpringVersion;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** What is chosen on Spring Boot 3, as it finds it by itself. */
class Boot3Test {
    private final ApplicationContextRunner database = new ApplicationContextRunner()
            .withUserConfiguration(Plain.class)
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    private final ApplicationContextRunner memory = database.withPropertyValues("onefold.store=memory");

    @Test
    void this_is_the_generation_before() {
        assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
        assertThat(SpringVersion.getVersion()).startsWith("6.2.");
    }

    @Test
    void without_a_database_records_are_in_memory() {
        database.withClassLoader(new FilteredClassLoader("org.springframework.jdbc", "io.onefold.jdbc"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(MemoryStore.class));
    }

    @Test
    void a_data_source_gives_the_store_in_its_database_and_joined_transactions() {
        database.run(context -> {
            assertThat(context.getBean(Store.class)).isInstanceOf(JdbcStore.class);
            assertThat(context).hasSingleBean(SpringTransactionSupport.class);
        });
    }

    @Test
    void redis_beside_the_database_is_its_front_door() {
        new ApplicationContextRunner()
                .withUserConfiguration(WithRedis.class)
                .withPropertyValues("spring.datasource.generate-unique-name=true", "spring.data.redis.port=1")
                .run(context -> {
                    assertThat(context.getBean(Store.class)).isInstanceOf(TieredStore.class);
                    assertThat(context)
                            .hasSingleBean(RedisConnections.class)
                            .hasSingleBean(SpringTransactionSupport.class);
                });
    }

    @Test
    void results_are_mapped_by_jackson_2() {
        memory.run(context -> assertThat(context.getBean(Codec.class)).isInstanceOf(Jackson2Codec.class));
    }

    @Test
    void a_joined_method_commits_its_record_with_its_row_or_neither() {
        database.withBean(Ledger.class).run(context -> {
            Ledger ledger = context.getBean(Ledger.class);
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(ledger.post("a", 1).row()).isEqualTo("a");
            assertThat(ledger.post("a", 1).row()).isEqualTo("a");
            try {
                ledger.post("b", -1);
            } catch (IllegalStateException refused) {
                assertThat(refused).hasMessage("less than nothing");
            }
            assertThat(count(jdbc, "ledger")).isEqualTo(1);
            assertThat(count(jdbc, "idempotent_record where status = 1")).isEqualTo(1);
        });
    }

    private static int count(JdbcTemplate jdbc, String what) {
        return Objects.requireNonNull(jdbc.queryForObject("select count(*) from " + what, Integer.class));
    }

    @Test
    void health_is_down_only_if_the_store_cannot_be_asked() {
        AtomicBoolean broken = new AtomicBoolean();
        MemoryStore store = new MemoryStore(() -> {
            if (broken.get()) {
                throw new StoreException("gone");
            }
            return 1;
        });
        database.withPropertyValues("onefold.upkeep.enabled=false")
                .withBean(Store.class, () -> store)
                .run(context -> {
                    HealthIndicator health = context.getBean("onefoldHealthIndicator", HealthIndicator.class);
                    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
                    assertThat(health.health().getDetails())
                            .containsEntry("store", "MemoryStore")
                            .containsEntry("stuck", "0");
                    broken.set(true);
                    assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
                });
    }

    @Test
    void what_is_switched_off_is_not_there() {
        database.withPropertyValues("onefold.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Onefold.class));
        database.withPropertyValues("management.health.onefold.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean("onefoldHealthIndicator"));
    }

    @Application
    static class Plain {}

    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
                "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration"
            })
    static class WithRedis {}

    static class Ledger {
        private final JdbcTemplate jdbc;

        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("create table ledger (id varchar(80), amount int)");
        }

        @Idempotent(operation = "post", key = "#id")
        @Transactional
        public Posted post(String id, int amount) {
            jdbc.update("insert into ledger values (?, ?)", id, amount);
            if (amount < 0) {
                throw new IllegalStateException("less than nothing");
            }
            return new Posted(id, amount);
        }
    }

    record Posted(String row, int amount) {}
}
