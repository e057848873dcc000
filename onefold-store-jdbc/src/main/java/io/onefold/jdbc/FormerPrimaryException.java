package io.onefold.jdbc;

import io.onefold.store.StoreException;

/** The connection leads to a former primary: another server has taken over from it, and what is written here is lost. */
final class FormerPrimaryException extends StoreException {
    private static final long serialVersionUID = 1;

    FormerPrimaryException(String message) {
        super(message);
    }
}
