package io.onefold.http.contract;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Joining;
import io.onefold.store.RecordId;
import java.sql.Connection;
import java.util.function.Consumer;

/**
 * Transactions of a store that cases can break.
 *
 * @param check throws while the store is down
 * @param entered is told how a transaction met its record
 */
record KitJoining(Joining behind, Runnable check, Consumer<Joining.Entry> entered) implements Joining {
    @Override
    public Transaction begin() {
        check.run();
        return new Checked(behind.begin());
    }

    @Override
    public Transaction join(Connection connection) {
        check.run();
        return new Checked(behind.join(connection));
    }

    @Override
    public boolean goesOnAfterRollback() {
        return behind.goesOnAfterRollback();
    }

    private final class Checked implements Transaction {
        private final Transaction transaction;

        Checked(Transaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public Connection connection() {
            return transaction.connection();
        }

        @Override
        public Entry enter(RecordId id) {
            check.run();
            Entry entry = transaction.enter(id);
            entered.accept(entry);
            return entry;
        }

        @Override
        public boolean write(Claim claim, long fence, Change end) {
            check.run();
            return transaction.write(claim, fence, end);
        }

        @Override
        public void commit() {
            transaction.commit();
        }

        @Override
        public void leave() {
            transaction.leave();
        }

        @Override
        public boolean conflicts(Throwable failure) {
            return transaction.conflicts(failure);
        }

        @Override
        public void close() {
            transaction.close();
        }
    }
}
