package io.onefold.http.contract;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.RecordId;
import io.onefold.store.StoreTransactions;
import java.sql.Connection;
import java.util.function.Consumer;

/**
 * Transactions of a store that cases can break.
 *
 * @param check throws while the store is down
 * @param entered gets the state in which a transaction met its record
 */
record KitTransactions(StoreTransactions behind, Runnable check, Consumer<StoreTransactions.RecordLockResult> entered)
        implements StoreTransactions {
    @Override
    public RecordTransaction begin() {
        check.run();
        return new CheckedTransaction(behind.begin());
    }

    @Override
    public RecordTransaction join(Connection connection) {
        check.run();
        return new CheckedTransaction(behind.join(connection));
    }

    @Override
    public boolean goesOnAfterRollback() {
        return behind.goesOnAfterRollback();
    }

    private final class CheckedTransaction implements RecordTransaction {
        private final RecordTransaction transaction;

        CheckedTransaction(RecordTransaction transaction) {
            this.transaction = transaction;
        }

        @Override
        public Connection connection() {
            return transaction.connection();
        }

        @Override
        public RecordLockResult enter(RecordId id) {
            check.run();
            RecordLockResult entry = transaction.enter(id);
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
