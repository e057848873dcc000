package io.onefold.store;

/** The store had shown a record of this request before it could not be asked any more: the request may have been carried out. */
public final class PossiblyExecutedException extends StoreException {
    private static final long serialVersionUID = 1;

    PossiblyExecutedException(StoreException cause) {
        super("a record was met, but what became of it could not be asked: " + cause.getMessage(), cause);
    }

    /** A failure of the store, told together with whether it had shown a record before. */
    public static RuntimeException of(RuntimeException failure, boolean standing) {
        return standing && failure instanceof StoreException lost ? new PossiblyExecutedException(lost) : failure;
    }
}
