package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.onefold.Onefold;
import io.onefold.jdbc.JdbcStore;
import io.onefold.jdbc.RecordTable;
import io.onefold.spring.Idempotent;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.SpringTransactionSupport;
import io.onefold.spring.TransactionMode;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Where the application has the store, or the engine on it, as beans of its own. */
class OwnBeansTest {
    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withUserConfiguration(Plain.class)
            .withPropertyValues("spring.datasource.generate-unique-name=true", "onefold.http.principal=anonymous");

    @Test
    void an_engine_of_ones_own_has_all_records_joined_by_whomever() {
        runner.withUserConfiguration(OwnEngine.class).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Store.class);
            Ledger ledger = context.getBean(Ledger.class);
            ledger.post("a");
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> ledger.post("a"));
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            assertThat(jdbc.queryForList("select id from entries", String.class))
                    .containsExactly("a");
            assertThat(jdbc.queryForObject("select count(*) from own_record where biz_type = 'post'", Integer.class))
                    .isEqualTo(1);
        });
    }

    @Test
    void a_store_on_another_way_to_a_pool_of_one_joins_its_transactions() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
        pool.setMaximumPoolSize(1);
        pool.setConnectionTimeout(250);
        runner.withBean(DataSource.class, () -> pool)
                .withBean(Store.class, () -> JdbcStore.of(new DelegatingDataSource(pool)))
                .run(context -> assertThat(context.getBean(SpringTransactionSupport.class))
                        .isNotNull());
    }

    @Test
    void what_is_switched_off_leaves_the_applications_beans_alone() {
        for (Class<?> own : new Class<?>[] {OwnEngine.class, OwnStore.class}) {
            runner.withUserConfiguration(own)
                    .withPropertyValues("onefold.enabled=false", "management.endpoints.web.exposure.include=*")
                    .run(context -> {
                        assertThat(context).hasNotFailed().doesNotHaveBean(IdempotentMethodRegistry.class);
                        assertThat(context.getBeanDefinitionNames()).noneMatch(name -> name.startsWith("onefold"));
                    });
        }
    }

    @Application
    static class Plain {}

    static class OwnStore {
        @Bean
        Store own() {
            return new MemoryStore();
        }
    }

    static class OwnEngine {
        @Bean
        Onefold own(DataSource source) {
            return Onefold.on(JdbcStore.builder(source)
                    .table(RecordTable.named("own_record"))
                    .build());
        }

        @Bean
        Ledger ledger(JdbcTemplate jdbc) {
            return new Ledger(jdbc);
        }
    }

    static class Ledger {
        private final JdbcTemplate jdbc;

        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("create table entries (id varchar(80))");
        }

        @Idempotent(operation = "post", key = "#id", mode = TransactionMode.JOINED)
        @Transactional
        public void post(String id) {
            jdbc.update("insert into entries values (?)", id);
        }
    }
}
