package io.onefold;

import io.onefold.store.CommitUnknownException;
import io.onefold.store.RecordLockTimeoutException;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import io.onefold.store.StoreTransactions.RecordTransaction;
import io.onefold.store.TransactionConflictException;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A joined call whose transactions are Onefold's own: it begins them, commits, and counts failures after the rollback. When the database
 * gives a transaction up for another, it repeats its own steps, and the work only if that has opted in. It waits for others without a
 * connection.
 */
final class TransactionRunner<T, X extends Exception> {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionRunner.class);
    private static final int TRIES = 20;

    private final StoreTransactions joining;
    private final EngineContext engine;
    private final TransactionalCall<T, X> flight;
    private Waiters.@Nullable Waiter waiter;
    private long waitUntil;
    private int looks;
    private boolean looksAgain;
    private long begunAt;
    private long until;

    TransactionRunner(StoreTransactions joining, TransactionalCall<T, X> flight) {
        this.joining = joining;
        this.engine = flight.engine;
        this.flight = flight;
    }

    Outcome<T> run() throws X {
        try {
            DuplicateOutcomes.ReportedOutcome<T> before = flight.lookBefore();
            return before == null ? fly() : flight.told(before);
        } finally {
            if (waiter != null) {
                waiter.leave();
            }
            flight.restoreInterrupt();
        }
    }

    private Outcome<T> fly() throws X {
        int conflicts = 0;
        boolean again = false;
        while (true) {
            DuplicateOutcomes.ReportedOutcome<T> known = joining.isNeededForReplays() ? null : flight.lookNearby();
            if (known != null) {
                return flight.told(known);
            }
            TransactionalCall.PassResult<T> pass;
            begin(again);
            try {
                pass = pass();
            } catch (TransactionConflictException e) {
                if (!repeats(e) || ++conflicts == TRIES) {
                    return lookedAfter(e);
                }
                pauseAfter(conflicts);
                again = !flight.wasAtWork();
                continue;
            }
            again = false;
            if (pass instanceof TransactionalCall.PassResult.WorkReturned<T> ran) {
                copyNearby();
                engine.waiters().publish(flight.id);
                return flight.<X>executed(ran);
            } else if (pass instanceof TransactionalCall.PassResult.OutcomeKnown<T> answered) {
                if (answered.finished()) {
                    copyNearby();
                }
                return flight.told(answered.told());
            } else if (pass instanceof TransactionalCall.PassResult.WorkThrew<T> threw) {
                count(threw);
                throw ExceptionRethrower.<X>as(threw.thrown());
            } else if (pass instanceof TransactionalCall.PassResult.OwnerLost<T> doubtful) {
                if (doubted(doubtful.seen())) {
                    return flight.told(flight.retelling.unknown(flight.engine.unknownSince(doubtful.seen())));
                }
            } else if (pass instanceof TransactionalCall.PassResult.LockedByOther<T> held
                    && !(looksAgain && waited())) {
                return flight.told(flight.busy(held.seen()));
            }
        }
    }

    /**
     * Returns true if another transaction may follow one that was given up. Work that opted in is repeated when its
     * transaction was given up for another. It is never repeated because it waited in vain: it would wait again, as
     * long as it takes.
     */
    private boolean repeats(TransactionConflictException conflict) {
        boolean optedIn = flight.policy().repeatOnConflict;
        if (flight.wasAtWork()) {
            return optedIn && !(conflict instanceof RecordLockTimeoutException);
        }
        return (optedIn || (!flight.hasEntered() && joining.goesOnAfterRollback())) && isTimeLeft();
    }

    /** Returns true if a try that takes as long as the last one would be over in time. */
    private boolean isTimeLeft() {
        long now = engine.timer().nanos();
        return now - begunAt < until - now;
    }

    /** Begins a try; its deadline is that of the tries before, unless it is the first. How long others or the work took does not count. */
    private void begin(boolean again) {
        begunAt = engine.timer().nanos();
        if (!again) {
            until = begunAt + joining.timeout().toNanos();
        }
    }

    /**
     * Returns the outcome that others have recorded for the request, after its own transaction was given up for good.
     * It looks once, and nothing runs. It does not look if the rollback has discarded state that the caller holds: the
     * caller could not use an answer, because it would go on without that state.
     *
     * @throws TransactionConflictException if others have recorded nothing: the same call may be made again
     */
    private Outcome<T> lookedAfter(TransactionConflictException conflict) {
        if (flight.hasEntered() && joining.goesOnAfterRollback()) {
            TransactionalCall.PassResult<T> look = look(conflict);
            if (look instanceof TransactionalCall.PassResult.OutcomeKnown<T> answered) {
                return flight.told(answered.told());
            } else if (look instanceof TransactionalCall.PassResult.LockedByOther<T> held) {
                return flight.told(flight.busy(held.seen()));
            }
        }
        if (flight.hasEntered()) {
            flight.givenUp();
        }
        throw conflict;
    }

    private TransactionalCall.@Nullable PassResult<T> look(TransactionConflictException because) {
        for (int tries = 1; tries < TRIES; tries++) {
            begin(tries > 1);
            try (RecordTransaction transaction = joining.begin()) {
                return flight.look(transaction);
            } catch (TransactionConflictException e) {
                if (!isTimeLeft()) {
                    return null;
                }
                pauseAfter(tries);
            } catch (StoreException e) {
                because.addSuppressed(e);
                return null;
            }
        }
        return null;
    }

    private void pauseAfter(int conflicts) {
        pause(Duration.ofNanos(ThreadLocalRandom.current().nextLong(1_000_000L << Math.min(conflicts, 6))));
    }

    private TransactionalCall.PassResult<T> pass() {
        TransactionalCall.PassResult.WorkReturned<T> ran;
        RuntimeException failed;
        try (RecordTransaction transaction = joining.begin()) {
            TransactionalCall.PassResult<T> pass = flight.pass(transaction);
            if (!(pass instanceof TransactionalCall.PassResult.WorkReturned<T> through)) {
                looksAgain = pass instanceof TransactionalCall.PassResult.LockedByOther<T> && isPatient();
                if (looksAgain || returns(pass)) {
                    transaction.leave();
                }
                return pass;
            }
            ran = through;
            try {
                flight.writeAndCommit(transaction, ran);
                return ran;
            } catch (TransactionConflictException e) {
                throw e;
            } catch (RuntimeException e) {
                // of the store, or of whoever else commits
                failed = e;
                if (!(e instanceof CommitUnknownException)) {
                    flight.tellWaiters(e);
                }
            }
        }
        if (failed instanceof CommitUnknownException lost) {
            if (committed(lost)) {
                return ran;
            }
            failed = new StoreException("the record is not there: " + lost.getMessage(), lost);
        }
        Throwable thrown = ran.failure();
        if (thrown != null && !(failed.getCause() instanceof CommitUnknownException)) {
            // nothing of it stays: it failed as any other
            thrown.addSuppressed(failed);
            return new TransactionalCall.PassResult.WorkThrew<>(thrown, ran.claim());
        }
        if (thrown != null) {
            failed.addSuppressed(thrown);
        }
        count(new TransactionalCall.PassResult.WorkThrew<>(failed, ran.claim()));
        throw failed;
    }

    /** Copying reads the record: not where the caller may hold a connection already. */
    private void copyNearby() {
        if (!joining.isNeededForReplays()) {
            flight.copyNearby();
        }
    }

    /**
     * Returns true if the call returns a value or may return one. The outcome of a lost owner's attempt is not known
     * yet.
     */
    private boolean returns(TransactionalCall.PassResult<T> pass) {
        return pass instanceof TransactionalCall.PassResult.OwnerLost<T>
                || (pass instanceof TransactionalCall.PassResult.OutcomeKnown<T> answered
                        && answered.told().outcome() instanceof Outcome.Replayed<T> replayed
                        && replayed.kept());
    }

    /**
     * A commit whose answer was lost has happened if its record is there. As long as the lock is held, it may still be happening.
     */
    private boolean committed(CommitUnknownException because) {
        long until = engine.timer().nanos() + flight.policy().lease.toNanos();
        for (int tries = 1; ; tries++) {
            boolean over = false;
            try (RecordTransaction transaction = joining.begin()) {
                over = transaction.enter(flight.id).locked();
            } catch (RuntimeException e) {
                because.addSuppressed(e);
            }
            if (over) {
                // a look of its own: that transaction's picture may be older than its lock
                boolean there = flight.wrote(engine.store().find(flight.id));
                if (!there || confirmed(because)) {
                    return there;
                }
            }
            if (engine.timer().nanos() - until >= 0 || !pause(StepExecutor.pause(tries))) {
                throw because;
            }
        }
    }

    private boolean confirmed(CommitUnknownException because) {
        try {
            flight.confirm(joining);
            return true;
        } catch (StoreException e) {
            because.addSuppressed(e);
            return false;
        }
    }

    /** Best effort: what cannot be counted is as free as if it had never been tried. */
    private void count(TransactionalCall.PassResult.WorkThrew<T> failed) {
        flight.failed(failed.thrown(), counted(failed));
    }

    private OperationEvent.@Nullable Kind counted(TransactionalCall.PassResult.WorkThrew<T> failed) {
        if (failed.thrown() instanceof WorkNotStartedException) {
            return null; // no transaction for nothing
        }
        TransactionConflictException last = null;
        for (int tries = 1; tries <= TRIES && (last == null || isTimeLeft()); tries++) {
            begin(tries > 1);
            try (RecordTransaction transaction = joining.begin()) {
                OperationEvent.Kind counted = flight.count(transaction, failed);
                if (counted != null) {
                    transaction.commit();
                }
                return counted;
            } catch (TransactionConflictException e) {
                last = e;
                pause(StepExecutor.pause(tries));
            } catch (RuntimeException e) {
                return notCounted(failed, e);
            }
        }
        return last == null ? null : notCounted(failed, last);
    }

    private OperationEvent.@Nullable Kind notCounted(
            TransactionalCall.PassResult.WorkThrew<T> failed, RuntimeException because) {
        failed.thrown().addSuppressed(because);
        LOG.warn("a failure of {} was not counted", flight.id, because);
        return null;
    }

    private boolean doubted(RecordSnapshot seen) {
        UpdateResult updated = engine.store().update(seen.record().ticket(), engine.leaseOver(flight.id));
        if (updated == UpdateResult.APPLIED) {
            engine.events().foundUnknown(flight.id, flight.began);
            engine.waiters().publish(flight.id);
        }
        return updated == UpdateResult.APPLIED;
    }

    /** Returns true if there is time left to wait for another call, and a free place among the waiters. */
    private boolean isPatient() {
        long now = engine.timer().nanos();
        if (waiter == null) {
            Duration patience = flight.policy().patience();
            waiter = patience.isZero() ? null : engine.waiters().enter(flight.id);
            waitUntil = now + patience.toNanos();
            if (waiter != null) {
                flight.waitsAt(waiter);
            }
            return waiter != null;
        }
        return waitUntil - now > 0;
    }

    /** Waits, so that it is worth another look; not before the second: what ended before the place was taken would wake nobody. */
    private boolean waited() {
        if (looks++ == 0) {
            return true;
        }
        long left = Math.max(0, waitUntil - engine.timer().nanos());
        return pause(
                Duration.ofNanos(Math.min(left, StepExecutor.pause(looks - 1).toNanos())));
    }

    /** Sleeps until the time is over or the record is said to have changed; false if interrupted. */
    private boolean pause(Duration time) {
        CountDownLatch over = new CountDownLatch(1);
        Waiters.Waiter place = waiter;
        Timer.Cancellable alarm = engine.timer().after(time, place == null ? over::countDown : place::wake);
        if (place != null) {
            place.sleep(over::countDown);
        }
        try {
            over.await();
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            alarm.cancel();
        }
    }
}
