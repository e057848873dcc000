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

/** Detects a transaction in progress that may still roll an effect back. */
final class TransactionDetector {
    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            TransactionDetector.class.getClassLoader());

    private TransactionDetector() {}

    /**
     * Rejects a call inside of a transaction. If a record is complete while the effect can still be rolled back, it would report an effect
     * that never happened.
     */
    static void refuse(IdempotentMethod method) {
        refuse(method, isUnderWay());
    }

    /** Rejects a call inside of a transaction of Reactor's context. */
    static void refuse(IdempotentMethod method, ContextView context) {
        refuse(method, PRESENT && ReactiveContextTransaction.isUnderWay(context));
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
        return PRESENT && BoundTransaction.isUnderWay();
    }

    /**
     * The resources of the thread that hold data which was read and changed: sessions of JPA, sessions of open transactions, connections.
     */
    static Set<Object> sessions() {
        Set<Object> sessions = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Object resource :
                TransactionSynchronizationManager.getResourceMap().values()) {
            if (resource instanceof ResourceHolder && !BoundTransaction.isLentByBroker(resource)) {
                sessions.add(resource);
            }
        }
        return sessions;
    }

    private static final class BoundTransaction {
        /** The resources of brokers, which hold only messages back. */
        private static final Set<String> BROKERS =
                Set.of("KafkaResourceHolder", "RabbitResourceHolder", "JmsResourceHolder");

        /** The resource that a container lends to its listener; it is not a transaction. */
        private static final String LENT = "LocallyExposedJmsResourceHolder";

        static boolean isUnderWay() {
            // code that runs after the end, such as an event listener, still finds the transaction, but not its
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
         * Returns true if the transaction holds only resources of brokers, and one of them has begun it. A broker that only takes part in
         * another transaction has a synchronization. An example is a transaction of JTA, which binds no resource itself.
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

    private static final class ReactiveContextTransaction {
        static boolean isUnderWay(ContextView context) {
            // nothing in it waits: the context is present or absent
            return org.springframework.transaction.reactive.TransactionSynchronizationManager.forCurrentTransaction()
                    .map(known -> known.isActualTransactionActive() && known.isSynchronizationActive())
                    .onErrorReturn(NoTransactionException.class, false)
                    .contextWrite(context)
                    .toFuture()
                    .getNow(true);
        }
    }
}
