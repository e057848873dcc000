package io.onefold.jdbc;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ForwardingStore;
import io.onefold.store.RecordId;
import io.onefold.store.StoreTransactions;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.sql.Connection;
import java.util.function.Consumer;

/** A store that says when the end of an execution is about to be recorded, and when it has been. */
final class PointedStore extends ForwardingStore implements StoreTransactions {
    private final JdbcStore store;
    private final Consumer<Point> reached;

    PointedStore(JdbcStore store, Consumer<Point> reached) {
        super(store);
        this.store = store;
        this.reached = reached;
    }

    @Override
    public UpdateResult update(Ticket ticket, Change change) {
        if (!(change instanceof Change.Complete)) {
            return store.update(ticket, change);
        }
        reached.accept(Point.WORKED);
        UpdateResult updated = store.update(ticket, change);
        reached.accept(Point.RECORDED);
        return updated;
    }

    @Override
    public StoreTransactions joining() {
        return this;
    }

    @Override
    public RecordTransaction begin() {
        return new Pointed(store.begin(), reached);
    }

    @Override
    public RecordTransaction join(Connection connection) {
        return store.join(connection);
    }

    private record Pointed(RecordTransaction transaction, Consumer<Point> reached) implements RecordTransaction {
        @Override
        public Connection connection() {
            return transaction.connection();
        }

        @Override
        public RecordLockResult enter(RecordId id) {
            return transaction.enter(id);
        }

        @Override
        public boolean write(Claim claim, long fence, Change end) {
            return transaction.write(claim, fence, end);
        }

        @Override
        public void commit() {
            transaction.commit();
        }

        @Override
        public boolean writeAndCommit(Claim claim, long fence, Change end) {
            reached.accept(Point.WORKED);
            boolean written = transaction.writeAndCommit(claim, fence, end);
            reached.accept(Point.RECORDED);
            return written;
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
