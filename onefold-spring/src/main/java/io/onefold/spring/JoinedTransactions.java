package io.onefold.spring;

import io.onefold.Joined;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Work;
import io.onefold.store.Joining;
import java.lang.reflect.Method;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Joins records to Spring's transactions. A transaction that is under way is joined as it is, and whoever began it ends it; without one,
 * Onefold begins it, as the method's {@code @Transactional} says, so that it can be repeated, and waits for others without a connection.
 */
public final class JoinedTransactions {
    private final PlatformTransactionManager manager;
    private final DataSource source;
    private final Joining store;
    private final TransactionAttributeSource attributes;
    private final @Nullable String name;

    /**
     * @param source the database of the store, which the manager's transactions are in
     * @param name by which {@code @Transactional} may ask for the manager; null if it is the only one
     */
    public JoinedTransactions(
            PlatformTransactionManager manager,
            DataSource source,
            Joining store,
            TransactionAttributeSource attributes,
            @Nullable String name) {
        this.manager = manager;
        this.source = source;
        this.store = store;
        this.attributes = attributes;
        this.name = name;
    }

    /** Whether the method says that it runs in a transaction. */
    boolean surround(Method method, Class<?> type) {
        return attributes.getTransactionAttribute(method, type) != null;
    }

    /** Why record and effect could not be in one transaction; null if they can. */
    @Nullable
    String trouble(Method method, Class<?> type) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, type);
        if (attribute == null) {
            return null;
        }
        String qualifier = attribute.getQualifier();
        if (qualifier != null && !qualifier.isEmpty() && name != null && !qualifier.equals(name)) {
            return "its transactions are those of \"" + qualifier + "\", and the store's are those of \"" + name + "\"";
        }
        return switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRES_NEW -> "REQUIRES_NEW begins another transaction inside";
            case TransactionDefinition.PROPAGATION_NOT_SUPPORTED, TransactionDefinition.PROPAGATION_NEVER ->
                "it does not run in a transaction";
            default -> attribute.isReadOnly() ? "its transaction is read-only" : null;
        };
    }

    static boolean underWay() {
        return TransactionSynchronizationManager.isActualTransactionActive();
    }

    <T> Outcome<T> attempt(
            Onefold onefold, Operation<T> operation, Key key, IdempotentMethod method, Work<T, Exception> work)
            throws Exception {
        if (underWay()) {
            return inOuter(onefold, operation, key, work);
        }
        TransactionAttribute attribute = attributes.getTransactionAttribute(method.method(), method.type());
        DefaultTransactionDefinition definition =
                attribute == null ? new DefaultTransactionDefinition() : new DefaultTransactionDefinition(attribute);
        definition.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRED);
        SpringJoining transactions = new SpringJoining(manager, source, store, definition);
        return onefold.attemptInTransaction(transactions, operation, key, (attempt, connection) -> work.run(attempt));
    }

    private <T> Outcome<T> inOuter(Onefold onefold, Operation<T> operation, Key key, Work<T, Exception> work)
            throws Exception {
        if (!TransactionSynchronizationManager.hasResource(source)) {
            throw new IllegalStateException(
                    operation + " is joined, but the transaction that is under way is not one of the store's database");
        }
        TransactionStatus status =
                manager.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY));
        Connection connection = DataSourceUtils.getConnection(source);
        try {
            Joined joined = onefold.joined(connection);
            TransactionSynchronizationManager.registerSynchronization(new Ending(joined));
            Outcome<T> outcome = joined.attempt(operation, key, work);
            manager.commit(status);
            return outcome;
        } catch (Exception | Error e) {
            if (!status.isCompleted()) {
                manager.rollback(status);
            }
            throw e;
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }

    /** Ends what lasts as long as the transaction, while its connection is still held. */
    private record Ending(Joined joined) implements TransactionSynchronization {
        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_ROLLED_BACK) {
                joined.rolledBack();
            } else {
                joined.close();
            }
        }
    }
}
