package io.onefold.spring;

/** A method is declared as transactional, but record and effect cannot be in one transaction. */
public final class NotTransactionalException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    NotTransactionalException(String message) {
        super(message);
    }
}
