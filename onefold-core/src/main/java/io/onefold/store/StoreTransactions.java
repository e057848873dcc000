package io.onefold.store;

import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A store that can write a record in the very transaction of the effect: both are there, or neither. */
public interface StoreTransactions {

    /** Begins a transaction on a connection that the store borrows for it. */
    RecordTransaction begin();

    /** The transaction that the caller began on this connection, and will end. */
    RecordTransaction join(Connection connection);

    /**
     * Returns true if a call can go on in another transaction when one was rolled back. It cannot if the rollback
     * discarded state that the caller holds: a session, for example, which is cleared, so that nobody would write what
     * the caller changes from then on.
     */
    default boolean goesOnAfterRollback() {
        return true;
    }

    /** Returns how long Onefold's own steps of one call may be repeated while other transactions stand in their way. */
    default Duration timeout() {
        return Duration.ofSeconds(10);
    }

    /**
     * Returns true if a duplicate needs a transaction too, although its answer is known without one. This is so if
     * others take part in the transaction, a session of the caller's for example, and rely on it to be committed.
     */
    default boolean isNeededForReplays() {
        return false;
    }

    /**
     * Makes sure that a record that was found is as durable as one whose commit was acknowledged. After a lost answer, a record that is found may
     * be on this server alone: a database that waits for a standby may show the record before the standby has it, for instance after a restart.
     *
     * @param owner whose record was found
     * @throws StoreException if nobody knows whether the record is durable
     */
    default void confirm(RecordId id, UUID owner) {}

    /**
     * Records as one transaction sees and writes them. What the database gives up in favour of another transaction is a
     * {@link TransactionConflictException}: nothing of this one will stay, and it may be repeated as a whole.
     */
    interface RecordTransaction extends AutoCloseable {

        Connection connection();

        /** Locks the record until the transaction is over, without waiting for whoever holds it; then, in a later step, reads it. */
        RecordLockResult enter(RecordId id);

        /**
         * Writes a record at its end: new, or in the place of what the claim takes.
         *
         * @param end {@link Change.Complete}, {@link Change.Fail} or {@link Change.Release}
         * @return false if another record is there now: the transaction must not commit
         * @throws PayloadRejectedException if the record can only be written without its payload: the transaction stands
         */
        boolean write(Claim claim, long fence, Change end);

        /**
         * Commits what the store began.
         *
         * @throws CommitUnknownException if it is not known whether it happened
         */
        void commit();

        /**
         * Writes as {@link #write} does and, if that was possible, commits what the store began.
         *
         * @throws CommitUnknownException if it is not known whether it happened
         * @throws PayloadRejectedException as {@link #write} does: nothing was committed
         */
        default boolean writeAndCommit(Claim claim, long fence, Change end) {
            boolean written = write(claim, fence, end);
            if (written) {
                commit();
            }
            return written;
        }

        /**
         * Ends a transaction in which nothing was written, and whose call returns a value or looks again. Where others share the
         * transaction it is committed, so that they keep what they have, and what they wrote: {@link #close} would take it along.
         */
        default void leave() {}

        /**
         * Returns true if this failure, perhaps the work's own, says that the transaction was given up in favour of
         * another.
         */
        boolean conflicts(Throwable failure);

        /** Returns true if a failure that {@link #conflicts} says that a lock could not be obtained in time. */
        default boolean timedOut(Throwable failure) {
            return false;
        }

        /** A failure that {@link #conflicts}, as the exception that says so. */
        default TransactionConflictException conflict(String message, Throwable failure) {
            return timedOut(failure)
                    ? new RecordLockTimeoutException(message, failure)
                    : new TransactionConflictException(message, failure);
        }

        /**
         * Rolls back what the store began and did not commit, and gives the connection back. Of a caller's transaction: to be
         * called when it has ended.
         */
        @Override
        void close();
    }

    /**
     * The state in which a transaction found a record.
     *
     * @param locked false if another transaction holds it
     * @param seen what is committed, if anything
     * @param fence for what this transaction may write
     */
    record RecordLockResult(boolean locked, @Nullable RecordSnapshot seen, long fence) {}
}
