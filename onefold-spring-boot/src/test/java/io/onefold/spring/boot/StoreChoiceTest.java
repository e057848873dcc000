package io.onefold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.jdbc.JdbcStore;
import io.onefold.jdbc.SchemaMode;
import io.onefold.payload.Codec;
import io.onefold.payload.JsonCodec;
import io.onefold.redis.RedisConnections;
import io.onefold.spring.Idempotent;
import io.onefold.spring.SpringTransactionSupport;
import io.onefold.spring.TransactionMode;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.TieredStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(OutputCaptureExtension.class)
class StoreChoiceTest {
    private final ApplicationContextRunner plain = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    OnefoldAutoConfiguration.class,
                    TransactionSupportAutoConfiguration.class,
                    ListenerAutoConfiguration.class,
                    MaintenanceAutoConfiguration.class,
                    ReportAutoConfiguration.class,
                    StoreHealthAutoConfiguration.class,
                    EndpointAutoConfiguration.class,
                    HttpContractAutoConfiguration.class,
                    RequestAutoConfiguration.class,
                    ServletFilterAutoConfiguration.class));

    private final ApplicationContextRunner database = plain.withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true");

    @Test
    void without_anything_records_are_in_memory_and_a_warning_names_the_property(CapturedOutput output) {
        plain.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(MemoryStore.class);
            assertThat(output).contains("onefold.store=memory").contains("WARN");
        });
    }

    @Test
    void memory_that_was_asked_for_is_no_reason_to_warn(CapturedOutput output) {
        plain.withPropertyValues("onefold.store=memory").run(context -> {
            assertThat(context).hasSingleBean(MemoryStore.class);
            assertThat(output).doesNotContain("WARN");
        });
    }

    @Test
    void a_data_source_gives_the_store_in_its_database_and_joined_transactions() {
        database.run(context -> {
            assertThat(context.getBean(Store.class)).isInstanceOf(JdbcStore.class);
            assertThat(context.getBean(Onefold.class).store()).isSameAs(context.getBean(Store.class));
            assertThat(context).hasSingleBean(SpringTransactionSupport.class);
        });
    }

    @Test
    void a_source_that_depends_on_the_thread_is_refused_behind_whatever_proxy_and_the_way_out_is_named() {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected @Nullable Object determineCurrentLookupKey() {
                return null;
            }
        };
        routing.setTargetDataSources(Map.of());
        routing.afterPropertiesSet();
        ProxyFactory advised = new ProxyFactory(routing);
        advised.setProxyTargetClass(true);
        for (DataSource source : List.of(
                routing,
                new LazyConnectionDataSourceProxy(routing),
                new TransactionAwareDataSourceProxy(new DelegatingDataSource(routing)),
                (DataSource) advised.getProxy(),
                ProxyFactory.getProxy(DataSource.class, new SingletonTargetSource(routing)))) {
            plain.withBean(DataSource.class, () -> source)
                    .run(context -> assertThat(
                                    Objects.requireNonNull(new StartFailureAnalyzer.ContradictorySettingsAnalyzer()
                                            .analyze(Objects.requireNonNull(context.getStartupFailure()))))
                            .satisfies(analysis -> {
                                assertThat(analysis.getDescription())
                                        .contains("chooses the database by the thread")
                                        .contains(routing.getClass().getName());
                                assertThat(analysis.getAction()).contains("a bean of type JdbcStore");
                            }));
        }
    }

    /** Connections that Onefold borrows are never set to read-only, so that they are all of the first source. */
    @Test
    void a_lazy_source_with_another_for_reading_is_no_reason_to_warn(CapturedOutput output) {
        plain.withBean(DataSource.class, () -> {
                    LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy(source().get());
                    lazy.setReadOnlyDataSource(source().get());
                    return lazy;
                })
                .withPropertyValues("onefold.jdbc.batching=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Onefold.class)
                                    .run(Operation.of("any", String.class), Key.of("any"), a -> ""))
                            .isEmpty();
                    assertThat(output).doesNotContain("WARN");
                });
    }

    @Test
    void a_source_of_the_applications_own_is_warned_of_unless_the_property_says_that_it_is_sound(
            CapturedOutput output) {
        ApplicationContextRunner own =
                plain.withBean(DataSource.class, () -> new DelegatingDataSource(source().get()) {});
        own.withPropertyValues("onefold.jdbc.batching=true")
                .run(context -> assertThat(output).doesNotContain("WARN"));
        own.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output).contains("may choose connections by the thread that asks");
        });
    }

    @Test
    void redis_beside_the_database_is_its_front_door() {
        database.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.port=1")
                .run(context -> {
                    assertThat(context.getBean(Store.class)).isInstanceOf(TieredStore.class);
                    assertThat(context)
                            .hasSingleBean(RedisConnections.class)
                            .hasSingleBean(SpringTransactionSupport.class);
                });
    }

    @Test
    void a_master_with_replicas_is_refused_unless_nobody_asks_for_it() {
        ApplicationContextRunner replicas = database.withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.masterreplica.nodes=a:6379,b:6379");
        replicas.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("spring.data.redis")
                .hasMessageContaining("set onefold.redis.url")
                .hasMessageContaining("onefold.store=jdbc"));
        replicas.withPropertyValues("onefold.store=jdbc")
                .run(context -> assertThat(context).hasNotFailed());
        replicas.withPropertyValues("onefold.redis.url=redis://localhost:1")
                .run(context -> assertThat(context.getBean(Store.class)).isInstanceOf(TieredStore.class));
        plain.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.masterreplica.nodes=a:6379,b:6379")
                .run(context -> assertThat(context).hasSingleBean(MemoryStore.class));
    }

    @Test
    void a_url_is_enough_to_have_redis_at_the_front_door() {
        database.withPropertyValues("onefold.redis.url=redis://localhost:1")
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.data.redis"))
                .run(context -> assertThat(context.getBean(Store.class)).isInstanceOf(TieredStore.class));
    }

    @Test
    void the_database_that_was_asked_for_has_no_front_door() {
        database.withPropertyValues("onefold.redis.url=redis://localhost:1", "onefold.store=jdbc")
                .run(context -> {
                    assertThat(context.getBean(Store.class)).isInstanceOf(JdbcStore.class);
                    assertThat(context).doesNotHaveBean(RedisConnections.class);
                });
    }

    @Test
    void without_the_library_for_databases_a_data_source_changes_nothing() {
        database.withClassLoader(new FilteredClassLoader("io.onefold.jdbc"))
                .run(context ->
                        assertThat(context).hasSingleBean(MemoryStore.class).hasNotFailed());
    }

    @Test
    void without_the_library_for_redis_the_database_stands_alone() {
        database.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("io.onefold.redis"))
                .run(context -> assertThat(context.getBean(Store.class)).isInstanceOf(JdbcStore.class));
    }

    @Test
    void without_spring_jdbc_nothing_is_joined() {
        plain.withBean(DataSource.class, source())
                .withClassLoader(new FilteredClassLoader("org.springframework.jdbc", "org.springframework.transaction"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(SpringTransactionSupport.class)
                        .getBean(Store.class)
                        .isInstanceOf(JdbcStore.class));
    }

    @Test
    void without_jackson_the_codec_of_the_core_is_used() {
        plain.withPropertyValues("onefold.store=memory")
                .withClassLoader(new FilteredClassLoader(JsonMapper.class, ObjectMapper.class))
                .run(context -> assertThat(context).hasSingleBean(Onefold.class).doesNotHaveBean(Codec.class));
    }

    @Test
    void the_codec_of_the_core_may_be_asked_for() {
        plain.withPropertyValues("onefold.store=memory")
                .withBean(Codec.class, JsonCodec::new)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Onefold.class));
    }

    @Test
    void a_store_that_cannot_be_is_refused_with_what_is_missing() {
        plain.withPropertyValues("onefold.store=jdbc")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(MissingStoreException.class)
                        .hasMessageContaining("onefold.store is JDBC"));
        plain.withPropertyValues("onefold.store=redis")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(MissingStoreException.class)
                        .hasMessageContaining("onefold-store-redis"));
    }

    @Test
    void the_applications_own_store_is_taken() {
        MemoryStore own = new MemoryStore();
        database.withBean(Store.class, () -> own).run(context -> {
            assertThat(context.getBean(Onefold.class).store()).isSameAs(own);
            assertThat(context).doesNotHaveBean(JdbcStore.class);
            assertThat(joined(context)).isNull();
        });
    }

    @Test
    void of_several_data_sources_one_must_be_chosen() {
        plain.withBean("one", DataSource.class, source())
                .withBean("two", DataSource.class, source())
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(MissingStoreException.class)
                        .hasMessageContaining("one, two")
                        .extracting(failure -> ((MissingStoreException) failure).remedy())
                        .asString()
                        .contains("@Primary", "onefold.store"));
        plain.withBean("one", DataSource.class, source())
                .withBean("two", DataSource.class, source())
                .withPropertyValues("onefold.store=memory")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void redis_alone_is_not_taken_unasked_and_the_warning_says_how(CapturedOutput output) {
        plain.withPropertyValues("onefold.redis.url=redis://localhost:1").run(context -> {
            assertThat(context).hasSingleBean(MemoryStore.class);
            assertThat(output).contains("onefold.store=redis makes them last");
        });
    }

    @Test
    void the_applications_own_store_joins_the_transactions_of_its_database() {
        DataSource source = source().get();
        database.withBean("mine", DataSource.class, () -> source)
                .withBean(Store.class, () -> stored(source))
                .run(context -> assertThat(joined(context)).isNotNull());
        database.withBean("mine", DataSource.class, () -> source)
                .withBean(Store.class, () -> stored(source().get()))
                .run(context -> assertThat(joined(context)).isNull());
    }

    @Test
    void a_transactional_method_that_does_not_join_is_warned_of(CapturedOutput output) {
        database.withBean(Transfers.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("an effect may stay without its record")
                    .contains("alone: Transfers.alone")
                    .doesNotContain("intended: Transfers.intended")
                    .doesNotContain("together: Transfers.together");
        });
    }

    @Test
    void two_beans_that_share_their_operations_are_warned_of(CapturedOutput output) {
        database.withBean("eu", Transfers.class)
                .withBean("us", Transfers.class)
                .run(context -> assertThat(output).contains("Transfers.alone is a method of the beans eu and us"));
    }

    static class Transfers {
        @Idempotent(operation = "together", key = "#id")
        @Transactional
        public void together(String id) {}

        @Idempotent(operation = "alone", key = "#id")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void alone(String id) {}

        @Idempotent(operation = "intended", key = "#id", mode = TransactionMode.LEASED)
        @Transactional
        public void intended(String id) {}
    }

    private static @Nullable SpringTransactionSupport joined(ApplicationContext context) {
        return context.getBeanProvider(SpringTransactionSupport.class).getIfAvailable();
    }

    private static JdbcStore stored(DataSource source) {
        return JdbcStore.builder(source).schema(SchemaMode.CREATE).build();
    }

    @Test
    void tables_of_a_database_that_is_not_embedded_are_not_made_unasked() {
        database.withPropertyValues("onefold.jdbc.initialize-schema=validate")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("idempotent_record")
                        .hasMessageContaining("is missing"));
    }

    @Test
    void a_table_may_have_another_name() {
        database.withPropertyValues("onefold.jdbc.table-name=shop_record")
                .run(context -> assertThat(context.getBean(DataSource.class).getConnection())
                        .satisfies(connection -> {
                            try (connection;
                                    var query = connection.prepareStatement("select count(*) from shop_record")) {
                                assertThat(query.executeQuery().next()).isTrue();
                            }
                        }));
    }

    @Test
    void connections_of_its_own_leave_the_rest_of_the_store_as_configured() {
        AtomicInteger used = new AtomicInteger();
        database.withBean(
                        JdbcStoreCustomizer.class,
                        () -> builder -> builder.ownConnections(new DelegatingDataSource(source().get()) {
                            @Override
                            public Connection getConnection() throws SQLException {
                                used.incrementAndGet();
                                return super.getConnection();
                            }
                        }))
                .withPropertyValues("onefold.redis.url=redis://localhost:1", "onefold.jdbc.table-name=shop_record")
                .run(context -> {
                    assertThat(context.getBean(Store.class)).isInstanceOf(TieredStore.class);
                    assertThat(context).hasSingleBean(SpringTransactionSupport.class);
                    // of another database, whose tables are not there: what matters is who was asked
                    assertThatThrownBy(() -> context.getBean(JdbcStore.class).epoch())
                            .isInstanceOf(StoreException.class);
                    assertThat(used).hasPositiveValue();
                    new JdbcTemplate(context.getBean(DataSource.class)).execute("select 1 from shop_record");
                });
    }

    @Test
    void what_is_switched_off_is_not_there() {
        database.withPropertyValues("onefold.enabled=false")
                .run(context ->
                        assertThat(context).doesNotHaveBean(Onefold.class).doesNotHaveBean(Store.class));
        database.withPropertyValues("onefold.upkeep.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(MaintenanceLifecycle.class));
    }

    private static Supplier<DataSource> source() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + java.util.UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return () -> source;
    }
}
