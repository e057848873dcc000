package io.onefold.jdbc;

import io.onefold.store.Answer;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.Claimed;
import io.onefold.store.Filter;
import io.onefold.store.Joining;
import io.onefold.store.Page;
import io.onefold.store.RecordId;
import io.onefold.store.Seen;
import io.onefold.store.Store;
import io.onefold.store.Ticket;
import io.onefold.store.Update;
import io.onefold.store.Updated;
import java.sql.Connection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store that says when the end of an execution is about to be recorded, and when it has been. */
record PointedStore(JdbcStore store, Consumer<Point> reached) implements Store, Joining {

    @Override
    public Claimed claim(Claim claim) {
        return store.claim(claim);
    }

    @Override
    public Updated update(Ticket ticket, Change change) {
        if (!(change instanceof Change.Complete)) {
            return store.update(ticket, change);
        }
        reached.accept(Point.WORKED);
        Updated updated = store.update(ticket, change);
        reached.accept(Point.RECORDED);
        return updated;
    }

    @Override
    public List<Answer<Claimed>> claimAll(List<Claim> claims) {
        return store.claimAll(claims);
    }

    @Override
    public List<Answer<Updated>> updateAll(List<Update> updates) {
        return store.updateAll(updates);
    }

    @Override
    public @Nullable Seen find(RecordId id) {
        return store.find(id);
    }

    @Override
    public Page list(Filter filter, @Nullable String cursor, int limit) {
        return store.list(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        return store.sweep(limit);
    }

    @Override
    public Transaction begin() {
        return new Pointed(store.begin(), reached);
    }

    @Override
    public Transaction join(Connection connection) {
        return store.join(connection);
    }

    private record Pointed(Transaction transaction, Consumer<Point> reached) implements Transaction {
        @Override
        public Connection connection() {
            return transaction.connection();
        }

        @Override
        public Entry enter(RecordId id) {
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
