package io.onefold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.ResourceHolderSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Leased methods that are called inside of transactions, of whatever kind: these may still be rolled back. */
class SurroundedTest {
    private final AnnotationConfigApplicationContext context = Context.inMemory(Leased.class);
    private final Leased leased = context.getBean(Leased.class);

    @AfterEach
    void stop() {
        context.close();
    }

    @Test
    void a_transaction_of_a_document_store_is_one() {
        assertThatThrownBy(() -> new TransactionTemplate(new Transactional(new DocumentHolder()))
                        .execute(status -> leased.run("k")))
                .hasMessageContaining("inside of a transaction");
        assertThat(leased.runs()).hasValue(0);
    }

    @Test
    void a_transaction_that_binds_nothing_is_one() {
        assertThatThrownBy(() -> new TransactionTemplate(new Transactional(null)).execute(status -> leased.run("k")))
                .hasMessageContaining("inside of a transaction");
    }

    @Test
    void a_transaction_of_a_broker_alone_holds_no_effect_back() {
        String told = new TransactionTemplate(new Transactional(new KafkaResourceHolder()))
                .execute(status -> leased.run("k"));
        assertThat(told).isEqualTo("run 1");
    }

    @Test
    void a_transaction_of_a_broker_and_of_something_else_is_one() {
        assertThatThrownBy(() -> new TransactionTemplate(new Transactional(new KafkaResourceHolder()))
                        .execute(status -> {
                            TransactionSynchronizationManager.bindResource("other", new DocumentHolder());
                            try {
                                return leased.run("k");
                            } finally {
                                TransactionSynchronizationManager.unbindResource("other");
                            }
                        }))
                .hasMessageContaining("inside of a transaction");
    }

    /** As under JTA, which binds nothing itself. */
    @Test
    void a_transaction_that_a_broker_only_takes_part_in_is_one() {
        assertThatThrownBy(() -> new TransactionTemplate(new Transactional(null)).execute(status -> {
                    takePart(new KafkaResourceHolder(), "broker");
                    return leased.run("k");
                }))
                .hasMessageContaining("inside of a transaction");
        assertThat(leased.runs()).hasValue(0);
    }

    @Test
    void another_broker_may_take_part_in_a_brokers_own() {
        String told = new TransactionTemplate(new Transactional(new KafkaResourceHolder())).execute(status -> {
            takePart(new KafkaResourceHolder(), "broker");
            return leased.run("k");
        });
        assertThat(told).isEqualTo("run 1");
    }

    private static void takePart(KafkaResourceHolder holder, String key) {
        TransactionSynchronizationManager.bindResource(key, holder);
        TransactionSynchronizationManager.registerSynchronization(new ResourceHolderSynchronization<>(holder, key) {});
    }

    @Test
    void a_reactive_transaction_is_one() {
        TransactionalOperator operator = TransactionalOperator.create(new ReactiveTransactions());
        assertThatThrownBy(() -> leased.mono("k").as(operator::transactional).block())
                .hasMessageContaining("inside of a transaction");
        assertThatThrownBy(() -> leased.flux("k").as(operator::transactional).blockLast())
                .hasMessageContaining("inside of a transaction");
        assertThat(leased.runs()).hasValue(0);
        assertThat(leased.mono("k").block()).isEqualTo("run 1");
    }

    @Test
    void a_reactive_context_without_a_transaction_is_none() {
        TransactionalOperator operator = TransactionalOperator.create(new ReactiveTransactions(), supporting());
        assertThat(leased.mono("k").as(operator::transactional).block()).isEqualTo("run 1");
    }

    private static TransactionDefinition supporting() {
        return new TransactionDefinition() {
            @Override
            public int getPropagationBehavior() {
                return PROPAGATION_SUPPORTS;
            }
        };
    }

    static class Leased {
        private final AtomicInteger runs = new AtomicInteger();

        public AtomicInteger runs() {
            return runs;
        }

        @Idempotent(operation = "run", key = "#id")
        public String run(String id) {
            return "run " + runs.incrementAndGet();
        }

        @Idempotent(operation = "mono", key = "#id")
        public Mono<String> mono(String id) {
            return Mono.fromSupplier(() -> run(id));
        }

        @Idempotent(operation = "flux", key = "#id")
        public Flux<String> flux(String id) {
            return mono(id).flux();
        }
    }

    static class DocumentHolder extends ResourceHolderSupport {}

    /** Known by its name, as that of the broker's is. */
    static class KafkaResourceHolder extends ResourceHolderSupport {}

    /** Transactions of nothing, which bind what those of something would. */
    static class Transactional extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1;

        private final transient @Nullable Object holder;

        Transactional(@Nullable Object holder) {
            this.holder = holder;
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            if (holder != null) {
                TransactionSynchronizationManager.bindResource(this, holder);
            }
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}

        @Override
        protected void doCleanupAfterCompletion(Object transaction) {
            if (holder != null) {
                TransactionSynchronizationManager.unbindResource(this);
            }
        }
    }

    static class ReactiveTransactions extends AbstractReactiveTransactionManager {
        private static final long serialVersionUID = 1;

        @Override
        protected Object doGetTransaction(
                org.springframework.transaction.reactive.TransactionSynchronizationManager synchronization) {
            return new Object();
        }

        @Override
        protected Mono<Void> doBegin(
                org.springframework.transaction.reactive.TransactionSynchronizationManager synchronization,
                Object transaction,
                TransactionDefinition definition) {
            return Mono.empty();
        }

        @Override
        protected Mono<Void> doCommit(
                org.springframework.transaction.reactive.TransactionSynchronizationManager synchronization,
                GenericReactiveTransaction status) {
            return Mono.empty();
        }

        @Override
        protected Mono<Void> doRollback(
                org.springframework.transaction.reactive.TransactionSynchronizationManager synchronization,
                GenericReactiveTransaction status) {
            return Mono.empty();
        }
    }
}
