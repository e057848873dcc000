package io.onefold.spring;

import java.util.Set;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.support.ResourceHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import reactor.util.context.ContextView;

/** Whether a transaction is under way that may still hold an effect back. */
final class Transactions {
    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            Transactions.class.getClassLoader());

    private Transactions() {}

    /** A record that is complete while the effect can still be rolled back would tell of what never happened. */
    static void refuse(IdempotentMethod method) {
        refuse(method, isUnderWay());
    }

    /** The same, of transactions that are in Reactor's context. */
    static void refuse(IdempotentMethod method, ContextView context) {
        refuse(method, PRESENT && Subscribed.isUnderWay(context));
    }

    private static void refuse(IdempotentMethod method, boolean underWay) {
        if (underWay) {
            throw new IllegalStateException(
                    method + " is leased, but was called inside of a transaction, which may still be"
                            + " rolled back when the record is complete: call it outside of transactions, or let it join them:"
                            + " mode = Mode.JOINED");
        }
    }

    static boolean isUnderWay() {
        return PRESENT && Bound.isUnderWay();
    }

    private static final class Bound {
        /** Those of brokers, which hold messages back and nothing else. */
        private static final Set<String> BROKERS = Set.of(
                "KafkaResourceHolder", "RabbitResourceHolder", "JmsResourceHolder", "LocallyExposedJmsResourceHolder");

        static boolean isUnderWay() {
            // what is called after the end, by a listener of events say, still finds the transaction, but not its
            // synchronization
            return TransactionSynchronizationManager.isActualTransactionActive()
                    && TransactionSynchronizationManager.isSynchronizationActive()
                    && !isOfBroker();
        }

        private static boolean isOfBroker() {
            boolean found = false;
            for (Object resource :
                    TransactionSynchronizationManager.getResourceMap().values()) {
                boolean broker = BROKERS.contains(resource.getClass().getSimpleName());
                if (!broker && resource instanceof ResourceHolder) {
                    return false;
                }
                found |= broker;
            }
            return found;
        }
    }

    private static final class Subscribed {
        static boolean isUnderWay(ContextView context) {
            // nothing in it waits: the context is there, or is not
            return org.springframework.transaction.reactive.TransactionSynchronizationManager.forCurrentTransaction()
                    .map(known -> known.isActualTransactionActive() && known.isSynchronizationActive())
                    .onErrorReturn(NoTransactionException.class, false)
                    .contextWrite(context)
                    .toFuture()
                    .getNow(true);
        }
    }
}
