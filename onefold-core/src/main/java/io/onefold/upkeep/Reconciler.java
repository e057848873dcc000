package io.onefold.upkeep;

import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.ShadowObserver;
import io.onefold.Timer;
import io.onefold.Verdict;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes care of what got stuck: an owner whose lease is over leaves an unknown outcome, and an unknown outcome is probed, less and
 * less often, until it is settled. Outcomes that stay unknown for {@link MaintenanceSettings#stuckAfter()} raise an event, once.
 *
 * <p>A round finds all lost owners first. Probes run on threads of their own and hold up no round; see {@link ProbeRunner}.
 */
public final class Reconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
    private static final int MAX_DOUBLINGS = 6;
    private static final Duration NO_LIMIT = Duration.ofDays(365);

    /**
     * The operation of records that were only observed when their owner was lost. The call has ended, one way or the
     * other.
     */
    private static final ProbedOperation<String> OBSERVED =
            new ProbedOperation<>(Operation.of("shadow", String.class), stuck -> Verdict.canNoLongerHappen());

    private final Onefold onefold;
    private final Timer timer;
    private final MaintenanceSettings settings;
    private final ProbeRunner probes;
    private final Map<String, ProbedOperation<?>> cares = new ConcurrentHashMap<>();
    private final Map<RecordId, ProbeProgress> progress = new ConcurrentHashMap<>();

    public Reconciler(Onefold onefold, Timer timer) {
        this(onefold, timer, MaintenanceSettings.standard());
    }

    public Reconciler(Onefold onefold, Timer timer, MaintenanceSettings settings) {
        this(onefold, timer, settings, Reconciler::start);
    }

    /**
     * @param timer for the pauses and the time limits of probes
     * @param threads one for each probe, as many as {@link MaintenanceSettings#probeThreads()} at once and those of probes that do not end
     */
    public Reconciler(Onefold onefold, Timer timer, MaintenanceSettings settings, Executor threads) {
        this.onefold = onefold;
        this.timer = timer;
        this.settings = settings;
        this.probes = new ProbeRunner(threads, timer, settings.probeThreads(), settings.probeTimeout());
    }

    private static void start(Runnable probe) {
        Thread daemon = new Thread(probe, "onefold-probe");
        daemon.setDaemon(true);
        daemon.start();
    }

    /** Settles unknown outcomes of the operation by this probe, from the next record on: a run that is under way is not waited for. */
    public <T> Reconciler probe(Operation<T> operation, OutcomeProbe<T> probe) {
        cares.put(operation.name(), new ProbedOperation<>(operation, probe));
        return this;
    }

    MaintenanceSettings settings() {
        return settings;
    }

    Timer timer() {
        return timer;
    }

    /**
     * Looks once at everything that is stuck, and waits for the probes, each of which ends in time or is given up. An interrupt ends the
     * waiting.
     *
     * @param goOn asked before each record and each probe, so that a long run can be ended
     */
    public ReconcileReport runOnce(BooleanSupplier goOn) {
        ReconcileRun round = round(goOn);
        try {
            boolean unused = awaitProbes(NO_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return round.report();
    }

    /**
     * Does the same as {@link #runOnce}, but the probes go on when this returns. A next round takes the place of probes
     * that have not begun by then.
     */
    public void startRound(BooleanSupplier goOn) {
        var unused = round(goOn);
    }

    private synchronized ReconcileRun round(BooleanSupplier goOn) {
        ReconcileRun round = new ReconcileRun(goOn);
        DueProbes due = new DueProbes(settings.probesPerRound());
        Set<RecordId> begun = probes.begun();
        Set<RecordId> met = new HashSet<>();
        String cursor = null;
        do {
            RecordPage page = onefold.store().list(RecordFilter.stuck(), cursor, settings.reconcileBatch());
            for (StoredRecord record : page.records()) {
                if (!goOn.getAsBoolean()) {
                    return round;
                }
                boolean found = record.leaseOver(page.now());
                if (found && !onefold.doubt(record)) {
                    continue;
                }
                round.doubted += found ? 1 : 0;
                round.stuck++;
                met.add(record.id());
                look(round, record, found ? page.now() : record.times().updatedAt(), page.now(), begun, due);
            }
            cursor = page.next();
        } while (cursor != null);
        progress.keySet().retainAll(met);
        probes.run(due.chosen());
        return round;
    }

    private void look(
            ReconcileRun round, StoredRecord record, long since, long now, Set<RecordId> begun, DueProbes due) {
        String operation = record.id().operation();
        ProbedOperation<?> care = ShadowObserver.isName(operation) ? OBSERVED : cares.get(operation);
        ProbeProgress seen = progress.computeIfAbsent(record.id(), id -> new ProbeProgress(timer.nanos()));
        boolean probed = care != null && !begun.contains(record.id()) && timer.nanos() - seen.nextProbe >= 0;
        RecordProbe probe = new RecordProbe(round, care, record, since, now, seen);
        // what waits for its first probe is not called stuck before, unless it has waited here for that long
        if (!probed || timer.nanos() - seen.first >= settings.stuckAfter().toNanos()) {
            probe.alarmIfDue();
        }
        RecordProbe left = probed ? due.add(probe) : null;
        if (left != null) {
            left.alarmIfDue();
        }
    }

    /** Waits until no probe waits or runs; those that were given up are not waited for. */
    boolean awaitProbes(Duration patience) throws InterruptedException {
        return probes.await(patience);
    }

    void startNoMoreProbes() {
        probes.stop();
    }

    void interruptProbes() {
        probes.interrupt();
    }

    /** The result of one run: owners found lost, outcomes settled, outcomes still unknown. */
    public record ReconcileReport(int doubted, int settled, int left) {}

    /** The progress of a round. Its probes may still run. */
    static final class ReconcileRun {
        private final BooleanSupplier goOn;
        private final AtomicInteger settled = new AtomicInteger();
        private int doubted;
        private int stuck;

        ReconcileRun(BooleanSupplier goOn) {
            this.goOn = goOn;
        }

        ReconcileReport report() {
            return new ReconcileReport(doubted, settled.get(), stuck - settled.get());
        }
    }

    /** The observed state of a record, and the probe that is to be made of it. */
    final class RecordProbe extends ProbeRunner.RunningProbe implements Comparable<RecordProbe> {
        private final ProbeProgress seen;
        private final long dueSince;
        private final ReconcileRun round;
        private final @Nullable ProbedOperation<?> care;
        private final StoredRecord record;
        private final long since;
        private final long now;
        private @Nullable Verdict<?> verdict;

        RecordProbe(
                ReconcileRun round,
                @Nullable ProbedOperation<?> care,
                StoredRecord record,
                long since,
                long now,
                ProbeProgress seen) {
            probes.super(record.id());
            this.round = round;
            this.care = care;
            this.record = record;
            this.since = since;
            this.now = now;
            this.seen = seen;
            this.dueSince = seen.nextProbe;
        }

        @Override
        public int compareTo(RecordProbe other) {
            return Long.signum(dueSince - other.dueSince);
        }

        @Override
        void ask() {
            // one of the round before may have asked meanwhile
            if (care == null || seen.nextProbe != dueSince || !mayGoOn()) {
                return;
            }
            Duration pause = settings.probePause().multipliedBy(1L << Math.min(seen.probes++, MAX_DOUBLINGS));
            seen.nextProbe = timer.nanos() + pause.toNanos();
            try {
                verdict = care.verdict(record, since);
                seen.trouble = "its probe does not know either";
                seen.failure = null;
            } catch (Throwable e) {
                // that of an interrupted probe says nothing
                if (!isInterrupted()) {
                    failed("its probe fails", e);
                }
            }
        }

        /** The turn may be lost, and the store closed. */
        private boolean mayGoOn() {
            try {
                return round.goOn.getAsBoolean();
            } catch (RuntimeException e) {
                LOG.debug("{} is not probed in this round", id, e);
                return false;
            }
        }

        @Override
        void conclude() {
            Verdict<?> found = verdict;
            try {
                if (found != null && care != null && mayGoOn()) {
                    if (settled(care, found)) {
                        round.settled.incrementAndGet();
                    } else {
                        alarmIfDue();
                    }
                }
            } catch (RuntimeException e) {
                // one record must not keep the others from being cared for
                failed("what its probe found could not be recorded", e);
            }
            if (found == null && seen.failure != null) {
                alarmIfDue();
            }
        }

        @SuppressWarnings("unchecked") // the verdict is the care's own
        private <T> boolean settled(ProbedOperation<T> by, Verdict<?> found) {
            return onefold.settle(by.operation, record, (Verdict<T>) found, false);
        }

        @Override
        void overdue() {
            failed(
                    "its probe does not end in time",
                    new TimeoutException("no verdict after " + settings.probeTimeout()));
            alarmIfDue();
        }

        @Override
        void notStarted(Throwable why) {
            failed("there is no thread for its probe", why);
        }

        private void failed(String trouble, Throwable why) {
            seen.trouble = trouble;
            seen.failure = why;
            onefold.probeFailed(id, trouble, why);
        }

        void alarmIfDue() {
            if ((now - since) / 1_000 >= settings.stuckAfter().toMillis() && seen.alarm()) {
                String trouble = care == null ? "no probe is registered for it" : seen.trouble;
                onefold.stuck(id, trouble, seen.failure);
            }
        }
    }

    private record ProbedOperation<T>(Operation<T> operation, OutcomeProbe<T> probe) {

        Verdict<T> verdict(StoredRecord record, long since) throws Exception {
            if (operation.repeats(record.attempts())) {
                return Verdict.canNoLongerHappen();
            }
            Instant when = Instant.EPOCH.plus(since, ChronoUnit.MICROS);
            UnknownOutcomeRequest stuck =
                    new UnknownOutcomeRequest(record.id(), record.bizId(), record.attempts(), record.fence(), when);
            return Objects.requireNonNull(probe.probe(stuck), "a probe returned null instead of a verdict");
        }
    }

    /** The data that this node remembers of a record while it is stuck. */
    static final class ProbeProgress {
        final long first;
        volatile long nextProbe;
        volatile String trouble = "its probe was not asked yet";
        volatile @Nullable Throwable failure;
        private int probes;
        private boolean alarmed;

        ProbeProgress(long now) {
            first = now;
            nextProbe = now;
        }

        synchronized boolean alarm() {
            boolean first = !alarmed;
            alarmed = true;
            return first;
        }
    }
}
