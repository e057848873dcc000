package io.onefold.upkeep;

import io.onefold.store.Store;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reconciles and sweeps in the background, one node at a time, until it is closed. */
public final class Upkeep implements AutoCloseable {
    public static final Duration RECONCILE_EVERY = Duration.ofSeconds(5);
    public static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Store store;
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        Thread daemon = new Thread(task, "onefold-upkeep");
        daemon.setDaemon(true);
        return daemon;
    });
    private volatile boolean closed;

    private Upkeep(Store store) {
        this.store = store;
    }

    public static Upkeep start(Store store, Reconciler reconciler, Sweeper sweeper) {
        return start(store, reconciler, RECONCILE_EVERY, sweeper);
    }

    public static Upkeep start(Store store, Reconciler reconciler, Duration reconcileEvery, Sweeper sweeper) {
        checked("reconcileEvery", reconcileEvery);
        Upkeep upkeep = new Upkeep(store);
        upkeep.every(reconcileEvery, "reconcile", reconciler::runOnce);
        upkeep.every(SWEEP_EVERY, "sweep", sweeper::runOnce);
        return upkeep;
    }

    /**
     * What is under way ends early, and has ended when this returns, unless it heeds neither that nor an interruption: the store may be
     * closed then.
     */
    @Override
    public void close() {
        close(LEASE);
    }

    /**
     * As {@link #close()}, with other patience.
     *
     * @param patience how long what is under way may go on before it is interrupted
     */
    public void close(Duration patience) {
        closed = true;
        thread.shutdown();
        boolean interrupted = false;
        try {
            if (thread.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(GRACE.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("what is under way does not heed its interruption, and goes on");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Shorter ones would be none at all, by the clock of the scheduler. */
    static Duration checked(String name, Duration pause) {
        if (pause.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(name + " must be at least a millisecond, not " + pause);
        }
        return pause;
    }

    private void every(Duration pause, String name, Duty duty) {
        Turn turn = new Turn(store, name, LEASE);
        Runnable round = () -> inTurn(turn, name, duty);
        var unused = thread.scheduleWithFixedDelay(round, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void inTurn(Turn turn, String name, Duty duty) {
        try {
            if (turn.take()) {
                try {
                    duty.run(() -> !closed && turn.renew());
                } finally {
                    turn.end();
                }
            }
        } catch (Throwable e) {
            // whatever it was: a scheduler drops a duty that throws
            LOG.warn("{} failed; it is tried again", name, e);
        }
    }

    private interface Duty {
        Object run(BooleanSupplier goOn);
    }
}
