package io.onefold.jdbc;

import io.onefold.store.StoreException;

/** The connection leads to a server that another one has taken over from: what is written there is lost, and others write elsewhere. */
final class FormerPrimaryException extends StoreException {
    private static final long serialVersionUID = 1;

    FormerPrimaryException(String message) {
        super(message);
    }
}
