package io.onefold.jdbc.mechanism;

import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import org.jspecify.annotations.Nullable;

/**
 * One conditional update, and where it changed nothing, a look at why. The look locks the row and reads what is there now. If that
 * would be updated after all, because somebody was there between the two, the update is repeated, with the row in hand.
 */
final class ConditionalUpdate {
    private static final int TRIES = 3;

    private ConditionalUpdate() {}

    @FunctionalInterface
    interface UpdateStep {
        int run() throws SQLException;
    }

    /** Null means that what is there now would be updated. */
    @FunctionalInterface
    interface ReadStep<R> {
        @Nullable
        R run() throws SQLException;
    }

    static <R> R run(SqlName table, R updated, UpdateStep update, ReadStep<R> look) throws SQLException {
        for (int i = 0; i < TRIES; i++) {
            int count = update.run();
            if (count > 1) {
                throw new IllegalStateException(
                        "the id is not unique in " + table + ": " + count + " rows were updated; roll back");
            }
            R reason = count == 1 ? updated : look.run();
            if (reason != null) {
                return reason;
            }
        }
        throw new SQLTransactionRollbackException(
                "a row of " + table + " changes faster than it can be read; repeat the transaction", "40001");
    }
}
