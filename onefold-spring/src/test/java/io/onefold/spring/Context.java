package io.onefold.spring;

import io.onefold.Onefold;
import io.onefold.jackson.JacksonCodec;
import io.onefold.jdbc.JdbcStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** Small applications without Boot. */
final class Context {
    private Context() {}

    @EnableIdempotent
    static class Basics {}

    @EnableIdempotent
    @EnableTransactionManagement
    static class WithTransactions {}

    /** On a store in memory. */
    static AnnotationConfigApplicationContext inMemory(Class<?>... beans) {
        return inMemory(context -> {}, beans);
    }

    static AnnotationConfigApplicationContext inMemory(
            Consumer<AnnotationConfigApplicationContext> with, Class<?>... beans) {
        return on(new MemoryStore(), with, beans);
    }

    /** On this store, without transactions. */
    static AnnotationConfigApplicationContext on(
            Store store, Consumer<AnnotationConfigApplicationContext> with, Class<?>... beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(Basics.class);
        context.registerBean(Onefold.class, () -> onefold(store));
        return started(context, with, beans);
    }

    /** On H2, with transactions. */
    static AnnotationConfigApplicationContext onH2(Class<?>... beans) {
        return on(
                JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", ""), beans);
    }

    /** On a database, with transactions. */
    static AnnotationConfigApplicationContext on(DataSource pool, Class<?>... beans) {
        return on(pool, JdbcStore.of(pool), new DataSourceTransactionManager(pool), beans);
    }

    /** On a store in a database, with transactions of this manager. */
    static AnnotationConfigApplicationContext on(
            DataSource pool, Store store, DataSourceTransactionManager manager, Class<?>... beans) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(WithTransactions.class);
        context.registerBean(DataSource.class, () -> pool);
        context.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(pool));
        context.registerBean(DataSourceTransactionManager.class, () -> manager);
        context.registerBean(Onefold.class, () -> onefold(store));
        context.registerBean(
                SpringTransactionSupport.class,
                () -> new SpringTransactionSupport(
                        manager, pool, new AnnotationTransactionAttributeSource(), Set.of("")));
        return started(context, any -> {}, beans);
    }

    private static AnnotationConfigApplicationContext started(
            AnnotationConfigApplicationContext context,
            Consumer<AnnotationConfigApplicationContext> with,
            Class<?>... beans) {
        with.accept(context);
        context.register(beans);
        context.refresh();
        return context;
    }

    static OperationSettingsRegistry policies(OperationSettings all) {
        return new OperationSettingsRegistry(all, Map.of());
    }

    private static Onefold onefold(Store store) {
        return Onefold.builder(store).codec(JacksonCodec.standard()).build();
    }
}
