package io.onefold.spring;

import io.onefold.NotBegunException;
import io.onefold.NotExecutedException;
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

    /** @param attribute what the method's {@code @Transactional} says; null if it has none */
    SurroundingTransaction(
            IdempotentMethod method, @Nullable TransactionAttribute attribute, Supplier<TransactionStatus> status) {
        this.method = method;
        this.attribute = attribute;
        this.status = status;
    }

    /** Writes what is only in memory yet: it belongs to the answer, and may fail. */
    void flush() {
        status.get().flush();
    }

    /**
     * Whether the transaction commits although the method has thrown this: by the rules of its {@code @Transactional}, unless the method
     * says that such a failure has no effect, which only a rollback makes true.
     */
    boolean keeps(Throwable thrown) {
        boolean hasNone = thrown instanceof NotExecutedException
                || thrown instanceof NotBegunException
                || method.retryOn().stream().anyMatch(type -> type.isInstance(thrown));
        boolean keeps = attribute != null
                && !hasNone
                && !attribute.rollbackOn(thrown)
                && !status.get().isRollbackOnly();
        kept = keeps ? thrown : null;
        return keeps;
    }

    /** Whether the method has thrown this very failure, and its transaction commits. Any other failure is that of its record. */
    boolean isKept(Throwable failure) {
        return failure == kept;
    }
}
