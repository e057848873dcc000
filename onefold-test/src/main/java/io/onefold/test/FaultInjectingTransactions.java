package io.onefold.test;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.CommitUnknownException;
import io.onefold.store.RecordId;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Transactions with which things go wrong. */
final class FaultInjectingTransactions implements StoreTransactions {
    private final StoreTransactions behind;
    private final FaultInjectingStore chaos;

    FaultInjectingTransactions(StoreTransactions behind, FaultInjectingStore chaos) {
        this.behind = behind;
        this.chaos = chaos;
    }

    @Override
    public RecordTransaction begin() {
        return new FaultyTransaction(behind.begin(), true);
    }

    @Override
    public RecordTransaction join(Connection connection) {
        return new FaultyTransaction(behind.join(connection), false);
    }

    @Override
    public boolean goesOnAfterRollback() {
        return behind.goesOnAfterRollback();
    }

    @Override
    public Duration timeout() {
        return behind.timeout();
    }

    @Override
    public boolean isNeededForReplays() {
        return behind.isNeededForReplays();
    }

    @Override
    public void confirm(RecordId id, UUID owner) {
        behind.confirm(id, owner);
    }

    private final class FaultyTransaction implements RecordTransaction {
        private final RecordTransaction real;
        private final boolean own;
        private @Nullable RecordId written;

        /**
         * @param own whether the store commits: else nobody here sees that it is committed
         */
        FaultyTransaction(RecordTransaction real, boolean own) {
            this.real = real;
            this.own = own;
        }

        @Override
        public Connection connection() {
            return real.connection();
        }

        @Override
        public RecordLockResult enter(RecordId id) {
            chaos.strike(CrashPoint.BEFORE_CLAIM, id, null);
            RecordLockResult entry = real.enter(id);
            if (entry.locked()) {
                chaos.strike(CrashPoint.AFTER_CLAIM, id, null);
            }
            return entry;
        }

        @Override
        public boolean write(Claim claim, long fence, Change end) {
            chaos.strike(CrashPoint.BEFORE_COMPLETE, claim.id(), null);
            boolean done = real.write(claim, fence, end);
            if (done && own) {
                written = claim.id();
            } else if (done) {
                chaos.strike(CrashPoint.AFTER_COMPLETE, claim.id(), null);
            }
            return done;
        }

        @Override
        public void commit() {
            real.commit();
            if (written != null) {
                committed(written);
            }
        }

        @Override
        public boolean writeAndCommit(Claim claim, long fence, Change end) {
            chaos.strike(CrashPoint.BEFORE_COMPLETE, claim.id(), null);
            boolean done = real.writeAndCommit(claim, fence, end);
            if (done) {
                committed(claim.id());
            }
            return done;
        }

        private void committed(RecordId id) {
            try {
                chaos.strike(CrashPoint.AFTER_COMPLETE, id, null);
            } catch (StoreException e) {
                throw new CommitUnknownException("chaos: the answer to a commit was lost", e);
            }
        }

        @Override
        public void leave() {
            real.leave();
        }

        @Override
        public boolean conflicts(Throwable failure) {
            return real.conflicts(failure);
        }

        @Override
        public boolean timedOut(Throwable failure) {
            return real.timedOut(failure);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
