package io.onefold.http.contract;

import io.onefold.store.Store;
import java.time.Duration;

/** The store of one case, by whose clock time passes when the case wants it. */
public interface CaseStore extends Store, AutoCloseable {

    /** For every record that there is, so much time passes. */
    void pass(Duration time);

    /** Closes the store when the case is over. */
    @Override
    default void close() {}
}
