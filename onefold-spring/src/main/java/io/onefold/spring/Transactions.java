package io.onefold.spring;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.support.ResourceHolder;
import org.springframework.transaction.support.ResourceHolderSynchronization;
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

    /** What is bound to the thread and keeps what was read and changed: sessions of JPA, those of open transactions, connections. */
    static Set<Object> sessions() {
        Set<Object> sessions = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Object resource :
                TransactionSynchronizationManager.getResourceMap().values()) {
            if (resource instanceof ResourceHolder && !Bound.isLentByBroker(resource)) {
                sessions.add(resource);
            }
        }
        return sessions;
    }

    private static final class Bound {
        /** Those of brokers, which hold messages back and nothing else. */
        private static final Set<String> BROKERS =
                Set.of("KafkaResourceHolder", "RabbitResourceHolder", "JmsResourceHolder");

        /** What a container lends to its listener; it is nobody's transaction. */
        private static final String LENT = "LocallyExposedJmsResourceHolder";

        static boolean isUnderWay() {
            // what is called after the end, by a listener of events say, still finds the transaction, but not its
            // synchronization
            return TransactionSynchronizationManager.isActualTransactionActive()
                    && TransactionSynchronizationManager.isSynchronizationActive()
                    && !isOfBroker();
        }

        static boolean isLentByBroker(Object resource) {
            String kind = resource.getClass().getSimpleName();
            return BROKERS.contains(kind) || kind.equals(LENT);
        }

        /**
         * Whether all that it holds is a broker's, and one of these has begun it: those that only take part in the transaction of
         * another, JTA's say, which binds nothing itself, have a synchronization each.
         */
        private static boolean isOfBroker() {
            int brokers = 0;
            for (Object resource :
                    TransactionSynchronizationManager.getResourceMap().values()) {
                String kind = resource.getClass().getSimpleName();
                if (BROKERS.contains(kind)) {
                    brokers++;
                } else if (resource instanceof ResourceHolder && !kind.equals(LENT)) {
                    return false;
                }
            }
            return brokers
                    > TransactionSynchronizationManager.getSynchronizations().stream()
                            .filter(ResourceHolderSynchronization.class::isInstance)
                            .count();
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
