package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.TransactionScope;
import io.onefold.store.StoreTransactions;
import io.onefold.store.TransactionConflictException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Writes records in Spring's transactions. If a transaction is in progress, the record takes part in it, and the code that began it ends
 * it. Otherwise Onefold begins one, as the method's {@code @Transactional} says, and commits it with the record. It then waits for other
 * calls without holding a connection.
 */
public final class SpringTransactionSupport implements BeanFactoryAware {
    private static final Logger LOG = LoggerFactory.getLogger(SpringTransactionSupport.class);

    private final PlatformTransactionManager manager;
    private final DataSource source;
    private final TransactionAttributeSource attributes;
    private final Set<String> names;

    /** The connections of transactions that are being committed, or are committed while their synchronizations are called. */
    private final Set<Object> committing = ConcurrentHashMap.newKeySet();

    private @Nullable BeanFactory beans;

    /**
     * @param source the database of the engine's store, which the manager's transactions are in
     * @param names the names by which {@code @Transactional} selects the manager; an empty name among them if it is the manager without a
     *     name
     */
    public SpringTransactionSupport(
            PlatformTransactionManager manager,
            DataSource source,
            TransactionAttributeSource attributes,
            Set<String> names) {
        this.manager = manager;
        this.source = source;
        this.attributes = attributes;
        this.names = Set.copyOf(names);
        if (manager instanceof ConfigurableTransactionManager configurable) {
            configurable.addListener(new CommitSynchronization());
        }
    }

    /** Sets the factory that finds the managers named by methods and their classes. Without it, only the names count. */
    @Override
    public void setBeanFactory(BeanFactory beans) {
        this.beans = beans;
    }

    /** Returns true if the method says that it runs in a transaction. */
    boolean surround(Method method, Class<?> type) {
        return attributes.getTransactionAttribute(method, type) != null;
    }

    /** The reason why record and effect cannot be in one transaction; null if they can. */
    @Nullable
    String trouble(Method method, Class<?> type) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, type);
        if (attribute == null) {
            return null;
        }
        String elsewhere = elsewhere(attribute, type);
        if (elsewhere != null) {
            return elsewhere;
        }
        return switch (attribute.getPropagationBehavior()) {
            case TransactionDefinition.PROPAGATION_REQUIRES_NEW -> "REQUIRES_NEW begins another transaction inside";
            case TransactionDefinition.PROPAGATION_NESTED ->
                "NESTED may be rolled back without the transaction that it is in";
            case TransactionDefinition.PROPAGATION_NOT_SUPPORTED, TransactionDefinition.PROPAGATION_NEVER ->
                "it does not run in a transaction";
            default -> attribute.isReadOnly() ? "its transaction is read-only" : null;
        };
    }

    /** Looks for the manager as Spring does: by the name on the method, else by the name on its class, else the usual one. */
    private @Nullable String elsewhere(TransactionAttribute attribute, Class<?> type) {
        String said = Objects.requireNonNullElse(attribute.getQualifier(), "");
        String ofType = said.isEmpty() ? BeanFactoryAnnotationUtils.getQualifierValue(type) : null;
        String name = ofType != null && named(ofType) != null ? ofType : said;
        TransactionManager usual = name.isEmpty() ? usual() : null;
        if (usual != null ? usual == manager : names.contains(name) || (!name.isEmpty() && named(name) == manager)) {
            return null;
        }
        return "its transactions are those of " + (name.isEmpty() ? "the primary manager" : "\"" + name + "\"")
                + ", and the store's are those of " + names;
    }

    private @Nullable TransactionManager named(String qualifier) {
        try {
            return beans == null
                    ? null
                    : BeanFactoryAnnotationUtils.qualifiedBeanOfType(beans, TransactionManager.class, qualifier);
        } catch (NoSuchBeanDefinitionException e) {
            return null; // a qualifier of the class may have another purpose
        }
    }

    /** The manager of a {@code TransactionManagementConfigurer}. */
    private @Nullable TransactionManager usual() {
        TransactionAspectSupport aspect = beans == null
                ? null
                : beans.getBeanProvider(TransactionAspectSupport.class).getIfUnique();
        return aspect == null ? null : aspect.getTransactionManager();
    }

    /** Returns true if a transactional call takes part in a transaction that other code has begun, and will end. */
    boolean isInOuter() {
        return TransactionDetector.isUnderWay() && !isCommitting();
    }

    /**
     * Watches the transaction that a call is about to take part in.
     *
     * @return returns true once that transaction is over; without one, the call ends its own
     */
    BooleanSupplier watchOuter() {
        AtomicBoolean over = new AtomicBoolean(!isInOuter());
        if (!over.get()) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    over.set(true);
                }
            });
        }
        return over::get;
    }

    MethodTransaction of(IdempotentMethod method) {
        return new MethodTransaction(method, source);
    }

    <T> Outcome<T> attempt(Onefold onefold, Operation<T> operation, Key key, MethodTransaction own, FlushedWork<T> work)
            throws Exception {
        if (isInOuter()) {
            return inOuter(onefold, operation, key, own.method(), work);
        }
        IdempotentMethod method = own.method();
        TransactionAttribute attribute = attributes.getTransactionAttribute(method.method(), method.type());
        DefaultTransactionDefinition definition =
                attribute == null ? new DefaultTransactionDefinition() : new DefaultTransactionDefinition(attribute);
        if (definition.getPropagationBehavior() == TransactionDefinition.PROPAGATION_MANDATORY) {
            throw new IllegalTransactionStateException(
                    method + " is to be called inside of a transaction (propagation mandatory), but none is under way");
        }
        // a finished transaction is bound to the thread while its listeners are called: work that took part in it would
        // be lost
        definition.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        // the same store as in a transaction in progress: records of one key must meet
        StoreTransactions store = Objects.requireNonNull(onefold.store().joining());
        SpringStoreTransactions transactions = new SpringStoreTransactions(manager, source, store, definition, own);
        return onefold.attemptInTransaction(
                transactions,
                operation,
                key,
                (attempt, connection) ->
                        work.run(attempt, new SurroundingTransaction(method, attribute, transactions::status)));
    }

    /** The work of a method. */
    @FunctionalInterface
    interface FlushedWork<T> {
        @Nullable
        T run(Attempt attempt, SurroundingTransaction transaction) throws Exception;
    }

    /** Returns Spring's exception for a caller whose transaction was rolled back in favour of another. */
    static RuntimeException retryable(TransactionConflictException conflict) {
        return new RetryableTransactionException(conflict);
    }

    /**
     * Returns true during a commit, for example in {@code afterCommit}. Work that took part in the transaction now would never be
     * committed.
     */
    private boolean isCommitting() {
        Object holder = TransactionSynchronizationManager.getResource(source);
        return holder != null && committing.contains(holder);
    }

    private <T> Outcome<T> inOuter(
            Onefold onefold, Operation<T> operation, Key key, IdempotentMethod method, FlushedWork<T> work)
            throws Exception {
        if (!TransactionSynchronizationManager.hasResource(source)) {
            throw new IllegalStateException(
                    operation + " is joined, but the transaction that is under way is not one of the store's database");
        }
        TransactionStatus status =
                manager.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY));
        Connection connection = DataSourceUtils.getConnection(source);
        SurroundingTransaction transaction = new SurroundingTransaction(
                method, attributes.getTransactionAttribute(method.method(), method.type()), () -> status);
        try {
            TransactionScope joined = onefold.joined(connection);
            TransactionSynchronizationManager.registerSynchronization(new TransactionCleanup(joined, connection));
            Outcome<T> outcome = joined.attempt(operation, key, attempt -> work.run(attempt, transaction));
            manager.commit(status);
            return outcome;
        } catch (Exception | Error e) {
            if (!status.isCompleted() && transaction.isKept(e)) {
                manager.commit(status);
            } else if (!status.isCompleted()) {
                manager.rollback(status);
            }
            throw e;
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }

    /**
     * Knows the moment after which nothing can be added to the transaction. Synchronizations that are called before a commit come before
     * it.
     */
    private final class CommitSynchronization implements TransactionExecutionListener {
        @Override
        public void beforeCommit(TransactionExecution transaction) {
            Object holder = TransactionSynchronizationManager.getResource(source);
            if (holder != null && transaction.isNewTransaction()) {
                committing.add(holder);
            }
        }

        @Override
        public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
            over();
        }

        @Override
        public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
            over();
        }

        private void over() {
            Object holder = TransactionSynchronizationManager.getResource(source);
            if (holder != null) {
                committing.remove(holder);
            }
        }
    }

    /** Ends everything that lasts as long as the transaction, while its connection is still held. */
    private record TransactionCleanup(TransactionScope joined, Connection connection)
            implements TransactionSynchronization {
        @Override
        public void afterCompletion(int status) {
            try (joined) {
                if (status != STATUS_ROLLED_BACK) {
                    return;
                }
                // some managers have already switched it on again
                boolean auto = connection.getAutoCommit();
                connection.setAutoCommit(false);
                try {
                    joined.rolledBack();
                } finally {
                    connection.setAutoCommit(auto);
                }
            } catch (SQLException e) {
                LOG.warn("failures in a transaction that was rolled back were not counted", e);
            }
        }
    }
}
