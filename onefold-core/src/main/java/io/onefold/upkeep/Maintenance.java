package io.onefold.upkeep;

import io.onefold.store.Store;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles and sweeps in the background, one node at a time, until it is closed. The two have threads of their own, and so has each
 * probe: none of the three waits for another.
 */
public final class Maintenance implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Store store;
    private final Reconciler reconciler;
    private final MaintenanceSettings settings;
    private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(2, task -> {
        Thread daemon = new Thread(task, "onefold-upkeep");
        daemon.setDaemon(true);
        return daemon;
    });
    private final MaintenanceLease reconciling;
    private final MaintenanceLease sweeping;
    private volatile boolean closed;

    private Maintenance(Store store, Reconciler reconciler) {
        this.store = store;
        this.reconciler = reconciler;
        this.settings = reconciler.settings();
        this.reconciling = turn("reconcile");
        this.sweeping = turn("sweep");
    }

    private MaintenanceLease turn(String duty) {
        return new MaintenanceLease(store, reconciler.timer(), duty, settings.lease());
    }

    /** With the settings of the reconciler. */
    public static Maintenance start(Store store, Reconciler reconciler) {
        return start(store, reconciler, new Sweeper(store, reconciler.settings().sweepBatch()));
    }

    /** With the settings of the reconciler, and a sweeper of one's own. */
    public static Maintenance start(Store store, Reconciler reconciler, Sweeper sweeper) {
        Maintenance upkeep = new Maintenance(store, reconciler);
        upkeep.every(upkeep.settings.reconcileEvery(), "reconcile", upkeep.reconciling, reconciler::startRound);
        upkeep.every(upkeep.settings.sweepEvery(), "sweep", upkeep.sweeping, sweeper::runOnce);
        return upkeep;
    }

    /**
     * Ends the tasks in progress early. They have ended when this returns, unless they heed neither that nor an
     * interruption. The store may be closed then.
     */
    @Override
    public void close() {
        close(PATIENCE);
    }

    /**
     * Does the same as {@link #close()}, with other patience.
     *
     * @param patience how long what is in progress may go on before it is interrupted
     */
    public void close(Duration patience) {
        closed = true;
        synchronized (threads) {
            if (!threads.isShutdown()) {
                threads.execute(() -> end(reconciling));
                threads.execute(() -> end(sweeping));
                threads.shutdown();
            }
        }
        reconciler.startNoMoreProbes();
        boolean interrupted = false;
        try {
            if (isOver(patience)) {
                return;
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        threads.shutdownNow();
        reconciler.interruptProbes();
        try {
            if (!isOver(GRACE)) {
                LOG.warn("what is under way does not heed its interruption, and goes on");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A probe may use up the patience; then the rounds have a moment of their own. */
    private boolean isOver(Duration patience) throws InterruptedException {
        boolean probed = reconciler.awaitProbes(patience);
        return threads.awaitTermination(probed ? patience.toNanos() : 1, TimeUnit.NANOSECONDS) && probed;
    }

    private static void end(MaintenanceLease turn) {
        try {
            turn.end();
        } catch (RuntimeException e) {
            LOG.debug("the turn stays this node's until its lease is over", e);
        }
    }

    private void every(Duration pause, String name, MaintenanceLease turn, MaintenanceTask duty) {
        Runnable round = () -> inTurn(turn, name, duty);
        var unused = threads.scheduleWithFixedDelay(round, 0, pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void inTurn(MaintenanceLease turn, String name, MaintenanceTask duty) {
        try {
            if (!closed && turn.take()) {
                duty.run(() -> !closed && turn.isMine());
            }
        } catch (Throwable e) {
            // whatever it was: a scheduler drops a duty that throws
            LOG.warn("{} failed; it is tried again", name, e);
        }
    }

    private interface MaintenanceTask {
        void run(BooleanSupplier goOn);
    }
}
