package io.onefold.upkeep;

import io.onefold.Event;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Shadow;
import io.onefold.Timer;
import io.onefold.Verdict;
import io.onefold.store.Filter;
import io.onefold.store.Page;
import io.onefold.store.RecordId;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes care of what got stuck: an owner whose lease is over leaves an unknown outcome, and an unknown outcome is probed, less and
 * less often, until it is settled. Outcomes that stay unknown for {@link #ALARM_AFTER} raise an event, once.
 */
public final class Reconciler {
    public static final Duration ALARM_AFTER = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
    private static final int PAGE = 100;
    private static final Duration FIRST_PAUSE = Upkeep.RECONCILE_EVERY;
    private static final int MAX_DOUBLINGS = 6;

    /** What was only observed when its owner was lost; the call has ended, one way or the other. */
    private static final Care<String> OBSERVED =
            new Care<>(Operation.of("shadow", String.class), stuck -> Verdict.canNoLongerHappen());

    private final Onefold onefold;
    private final Timer timer;
    private final Duration firstPause;
    private final Map<String, Care<?>> cares = new ConcurrentHashMap<>();
    private final Map<RecordId, Progress> progress = new HashMap<>();

    public Reconciler(Onefold onefold, Timer timer) {
        this(onefold, timer, FIRST_PAUSE);
    }

    /**
     * @param firstPause between the first two probes of a record; each one after is twice as long, six times at most
     */
    public Reconciler(Onefold onefold, Timer timer, Duration firstPause) {
        this.onefold = onefold;
        this.timer = timer;
        this.firstPause = Upkeep.checked("firstPause", firstPause);
    }

    /** Settles unknown outcomes of the operation by this probe, from the next record on: a run that is under way is not waited for. */
    public <T> Reconciler probe(Operation<T> operation, OutcomeProbe<T> probe) {
        cares.put(operation.name(), new Care<>(operation, probe));
        return this;
    }

    /**
     * Looks once at everything that is stuck.
     *
     * @param goOn asked before each record, so that a long run can be ended
     */
    public synchronized Report runOnce(BooleanSupplier goOn) {
        int doubted = 0;
        int settled = 0;
        int left = 0;
        Set<RecordId> met = new HashSet<>();
        String cursor = null;
        do {
            Page page = onefold.store().list(Filter.stuck(), cursor, PAGE);
            for (StoredRecord record : page.records()) {
                if (!goOn.getAsBoolean()) {
                    return new Report(doubted, settled, left);
                }
                boolean found = record.leaseOver(page.now());
                if (Turn.isTurn(record.id()) || (found && !onefold.doubt(record))) {
                    continue;
                }
                met.add(record.id());
                boolean done = care(record, found ? page.now() : record.times().updatedAt(), page.now());
                doubted += found ? 1 : 0;
                settled += done ? 1 : 0;
                left += done ? 0 : 1;
            }
            cursor = page.next();
        } while (cursor != null);
        progress.keySet().retainAll(met);
        return new Report(doubted, settled, left);
    }

    private boolean care(StoredRecord record, long since, long now) {
        String operation = record.id().operation();
        Care<?> care = Shadow.isName(operation) ? OBSERVED : cares.get(operation);
        Progress seen = progress.computeIfAbsent(record.id(), id -> new Progress(timer.nanos()));
        boolean settled = care != null && timer.nanos() - seen.nextProbe >= 0 && settled(care, record, since, seen);
        if (!settled && !seen.alarmed && (now - since) / 1_000 >= ALARM_AFTER.toMillis()) {
            seen.alarmed = true;
            onefold.tell(Event.Kind.STUCK, record.id());
        }
        return settled;
    }

    private <T> boolean settled(Care<T> care, StoredRecord record, long since, Progress seen) {
        Duration pause = firstPause.multipliedBy(1L << Math.min(seen.probes++, MAX_DOUBLINGS));
        seen.nextProbe = timer.nanos() + pause.toNanos();
        Verdict<T> verdict = care.verdict(record, since);
        try {
            return onefold.settle(care.operation, record, verdict, false);
        } catch (RuntimeException e) {
            // one record must not keep the others from being cared for
            LOG.warn("{} could not be settled; it is tried again", record.id(), e);
            return false;
        }
    }

    /** What one run did: owners found lost, outcomes settled, outcomes still unknown. */
    public record Report(int doubted, int settled, int left) {}

    private record Care<T>(Operation<T> operation, OutcomeProbe<T> probe) {

        Verdict<T> verdict(StoredRecord record, long since) {
            if (operation.repeats(record.attempts())) {
                return Verdict.canNoLongerHappen();
            }
            Instant when = Instant.EPOCH.plus(since, ChronoUnit.MICROS);
            try {
                Stuck stuck = new Stuck(record.id(), record.bizId(), record.attempts(), record.fence(), when);
                return Objects.requireNonNull(probe.probe(stuck), "a verdict");
            } catch (Throwable e) {
                LOG.warn("the probe of {} failed; the outcome stays unknown", record.id(), e);
                return Verdict.unknown();
            }
        }
    }

    private static final class Progress {
        long nextProbe;
        int probes;
        boolean alarmed;

        Progress(long now) {
            nextProbe = now;
        }
    }
}
