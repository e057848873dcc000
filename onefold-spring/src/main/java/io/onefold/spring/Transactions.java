package io.onefold.spring;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Whether a transaction of a database is under way. */
final class Transactions {
    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            Transactions.class.getClassLoader());

    private Transactions() {}

    /** A record that is complete while the effect can still be rolled back would tell of what never happened. */
    static void refuse(IdempotentMethod method) {
        if (inDatabase()) {
            throw new IllegalStateException(
                    method + " is leased, but was called inside of a transaction, which may still be"
                            + " rolled back when the record is complete: call it outside of transactions, or let it join them:"
                            + " mode = Mode.JOINED");
        }
    }

    static boolean inDatabase() {
        return PRESENT && Active.inDatabase();
    }

    private static final class Active {
        static boolean inDatabase() {
            if (!TransactionSynchronizationManager.isActualTransactionActive()) {
                return false;
            }
            // those of brokers do not hold an effect back in a database
            for (Object resource :
                    TransactionSynchronizationManager.getResourceMap().values()) {
                String type = resource.getClass().getSimpleName();
                if (type.equals("ConnectionHolder")
                        || type.endsWith("EntityManagerHolder")
                        || type.equals("SessionHolder")) {
                    return true;
                }
            }
            return false;
        }
    }
}
