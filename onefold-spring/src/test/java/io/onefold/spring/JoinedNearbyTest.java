package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.jdbc.JdbcStore;
import io.onefold.store.NearCache;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Joined methods on a store with a near cache: when their duplicates begin a transaction. */
class JoinedNearbyTest {
    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final AtomicInteger begun = new AtomicInteger();
    private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private Ledger ledger = new Ledger();

    @BeforeEach
    void start() {
        DataSourceTransactionManager counting = new DataSourceTransactionManager(pool) {
            private static final long serialVersionUID = 1;

            @Override
            protected void doBegin(Object transaction, TransactionDefinition definition) {
                begun.incrementAndGet();
                super.doBegin(transaction, definition);
            }
        };
        context = Context.on(pool, NearCache.over(JdbcStore.of(pool), 64, System::nanoTime), counting, Ledger.class);
        ledger = context.getBean(Ledger.class);
        assertThat(ledger.post("a", 1)).isEqualTo("run 1");
        assertThat(begun).hasValue(1);
    }

    @AfterEach
    void stop() {
        context.close();
        pool.dispose();
    }

    @Test
    void duplicates_begin_no_transaction() {
        for (int i = 0; i < 10; i++) {
            assertThat(ledger.post("a", 1)).isEqualTo("run 1");
        }
        assertThat(begun).hasValue(1);
    }

    @Test
    void a_session_that_is_open_on_the_thread_gets_its_transaction_whatever_the_cache_knows() {
        Object session = new Object();
        TransactionSynchronizationManager.bindResource(session, new ResourceHolderSupport() {});
        try {
            assertThat(ledger.post("a", 1)).isEqualTo("run 1");
            assertThat(begun).hasValue(2);
        } finally {
            TransactionSynchronizationManager.unbindResource(session);
        }
    }

    static class Ledger {
        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent(key = "#id")
        @Transactional
        public String post(String id, int amount) {
            return "run " + runs.incrementAndGet();
        }
    }
}
