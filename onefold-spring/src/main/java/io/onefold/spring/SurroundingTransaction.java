package io.onefold.spring;

import io.onefold.NotExecutedException;
import io.onefold.WorkNotStartedException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAttribute;

/** The transaction around the work of a joined method. */
final class SurroundingTransaction {
    private final IdempotentMethod method;
    private final @Nullable TransactionAttribute attribute;
    private final Supplier<TransactionStatus> status;
    private @Nullable Throwable kept;

    /** @param attribute the method's {@code @Transactional}; null if it has none */
    SurroundingTransaction(
            IdempotentMethod method, @Nullable TransactionAttribute attribute, Supplier<TransactionStatus> status) {
        this.method = method;
        this.attribute = attribute;
        this.status = status;
    }

    /** Writes changes that are only in memory: they belong to the result, and writing them may fail. */
    void flush() {
        status.get().flush();
    }

    /**
     * Returns true if the transaction commits although the method has thrown this. The rules of its {@code @Transactional} decide. But if
     * the method declares that such a failure has no effect, it rolls back, since only a rollback makes that true.
     */
    boolean keeps(Throwable thrown) {
        boolean hasNone = thrown instanceof NotExecutedException
                || thrown instanceof WorkNotStartedException
                || method.retryOn().stream().anyMatch(type -> type.isInstance(thrown));
        boolean keeps = attribute != null
                && !hasNone
                && !attribute.rollbackOn(thrown)
                && !status.get().isRollbackOnly();
        kept = keeps ? thrown : null;
        return keeps;
    }

    /** Returns true if the method has thrown this very failure, and its transaction commits. Any other failure concerns the record. */
    boolean isKept(Throwable failure) {
        return failure == kept;
    }
}
