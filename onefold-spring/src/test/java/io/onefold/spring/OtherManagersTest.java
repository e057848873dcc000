package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Onefold;
import io.onefold.jdbc.JdbcStore;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.annotation.Transactional;

/** Applications with two databases: records join the transactions of the one that they are in, and no others. */
class OtherManagersTest {
    private final JdbcConnectionPool own = pool();
    private final JdbcConnectionPool other = pool();
    private final DataSourceTransactionManager ownManager = new DataSourceTransactionManager(own);
    private final DataSourceTransactionManager otherManager = new DataSourceTransactionManager(other);

    private static JdbcConnectionPool pool() {
        JdbcConnectionPool pool =
                JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
        new JdbcTemplate(pool).execute("create table entry (id varchar(40))");
        return pool;
    }

    /** The store's manager is the primary one. */
    private AnnotationConfigApplicationContext started(Class<?> bean, @Nullable TransactionManager usual) {
        JdbcStore store = JdbcStore.of(own);
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(Context.WithTransactions.class);
        context.registerBean(
                "ownTransactions",
                DataSourceTransactionManager.class,
                () -> ownManager,
                definition -> definition.setPrimary(true));
        context.registerBean("otherTransactions", DataSourceTransactionManager.class, () -> otherManager);
        context.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(other));
        context.registerBean(Onefold.class, () -> Onefold.on(store));
        context.registerBean(
                SpringTransactionSupport.class,
                () -> new SpringTransactionSupport(
                        ownManager, own, new AnnotationTransactionAttributeSource(), Set.of("", "ownTransactions")));
        if (usual != null) {
            context.registerBean(TransactionManagementConfigurer.class, () -> () -> usual);
        }
        context.register(bean);
        context.refresh();
        return context;
    }

    private static TransactionMode mode(AnnotationConfigApplicationContext context) {
        return context.getBean(IdempotentMethodRegistry.class).all().get(0).mode();
    }

    private int entries() {
        return Objects.requireNonNull(
                new JdbcTemplate(other).queryForObject("select count(*) from entry", Integer.class));
    }

    @Test
    void a_manager_that_the_class_is_qualified_with_is_heeded() {
        try (AnnotationConfigApplicationContext context = started(Qualified.class, null)) {
            assertThat(mode(context)).isEqualTo(TransactionMode.LEASED);
            context.getBean(Qualified.class).run("a");
            context.getBean(Qualified.class).run("a");
            assertThat(entries()).isEqualTo(1);
        }
    }

    @Test
    void a_qualifier_that_is_not_that_of_a_manager_changes_nothing() {
        try (AnnotationConfigApplicationContext context = started(Fast.class, null)) {
            assertThat(mode(context)).isEqualTo(TransactionMode.JOINED);
        }
    }

    @Test
    void a_manager_that_is_configured_for_all_is_heeded() {
        try (AnnotationConfigApplicationContext context = started(Plain.class, otherManager)) {
            assertThat(mode(context)).isEqualTo(TransactionMode.LEASED);
        }
        try (AnnotationConfigApplicationContext context = started(Plain.class, ownManager)) {
            assertThat(mode(context)).isEqualTo(TransactionMode.JOINED);
        }
    }

    @Test
    void who_wants_to_join_is_told_at_the_start() {
        assertThatThrownBy(() -> started(Wanting.class, null))
                .hasMessageContaining("is to be joined, but its transactions are those of \"otherTransactions\"");
    }

    /** Whatever made Spring choose another manager than was thought. */
    @Test
    void a_method_that_finds_itself_in_another_transaction_does_not_begin() {
        JdbcStore store = JdbcStore.of(own);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Context.WithTransactions.class);
            context.registerBean(DataSourceTransactionManager.class, () -> otherManager);
            context.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(other));
            context.registerBean(Onefold.class, () -> Onefold.on(store));
            context.registerBean(
                    SpringTransactionSupport.class,
                    () -> new SpringTransactionSupport(
                            ownManager, own, new AnnotationTransactionAttributeSource(), Set.of("")));
            context.register(Plain.class);
            context.refresh();
            assertThat(mode(context)).isEqualTo(TransactionMode.JOINED);
            assertThatThrownBy(() -> context.getBean(Plain.class).run("a"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("another transaction");
            assertThat(entries()).isZero();
        }
    }

    static class Plain {
        private final JdbcTemplate jdbc;

        Plain(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        @Idempotent(operation = "run", key = "#id")
        public void run(String id) {
            jdbc.update("insert into entry values (?)", id);
        }
    }

    @Qualifier("otherTransactions")
    static class Qualified extends Plain {
        Qualified(JdbcTemplate jdbc) {
            super(jdbc);
        }
    }

    @Qualifier("fast")
    static class Fast extends Plain {
        Fast(JdbcTemplate jdbc) {
            super(jdbc);
        }
    }

    @Qualifier("otherTransactions")
    static class Wanting {
        @Transactional
        @Idempotent(operation = "wanting", key = "#id", mode = TransactionMode.JOINED)
        public void run(String id) {}
    }
}
