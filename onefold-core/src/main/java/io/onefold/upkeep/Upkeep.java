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
        Upkeep upkeep = new Upkeep(store);
        upkeep.every(RECONCILE_EVERY, "reconcile", reconciler::runOnce);
        upkeep.every(SWEEP_EVERY, "sweep", sweeper::runOnce);
        return upkeep;
    }

    /** What is under way ends early, and has ended when this returns: the store may be closed then. */
    @Override
    public void close() {
        closed = true;
        thread.shutdown();
        try {
            if (!thread.awaitTermination(LEASE.toSeconds(), TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
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
