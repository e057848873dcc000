package io.onefold;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** Work whose effect is in the database that has its record: what it does on the connection is committed with it, or not at all. */
@FunctionalInterface
public interface TransactionalWork<T, X extends Exception> {

    /** Must not commit, roll back or close the connection. */
    @Nullable
    T run(Attempt attempt, Connection connection) throws X;
}
