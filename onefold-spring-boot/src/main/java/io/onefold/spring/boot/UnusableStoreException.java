package io.onefold.spring.boot;

import io.onefold.store.StoreException;
import java.util.function.Supplier;

/** The store is there, and cannot be used. */
final class UnusableStoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private UnusableStoreException(RuntimeException why) {
        super("Onefold's store cannot be used: " + why.getMessage(), why);
    }

    static <S> S unlessOpen(Supplier<S> opening) {
        try {
            return opening.get();
        } catch (StoreException | IllegalStateException e) {
            throw new UnusableStoreException(e);
        }
    }
}
