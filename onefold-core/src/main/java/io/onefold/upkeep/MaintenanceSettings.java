package io.onefold.upkeep;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@link Maintenance} and {@link Reconciler}. Immutable; each method with a parameter returns a changed copy, and refuses a
 * value that cannot be.
 */
public final class MaintenanceSettings {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final int MOST_THREADS = 256;
    private static final int MOST_AT_ONCE = 100_000;
    private static final MaintenanceSettings STANDARD = new MaintenanceSettings();

    private Duration reconcileEvery = Duration.ofSeconds(5);
    private int reconcileBatch = 100;
    private Duration sweepEvery = Duration.ofMinutes(1);
    private int sweepBatch = 1_000;
    private Duration lease = Duration.ofSeconds(15);
    private Duration probeTimeout = Duration.ofSeconds(10);
    private int probeThreads = 4;
    private int probesPerRound = 100;
    private @Nullable Duration probePause;
    private Duration stuckAfter = Duration.ofMinutes(5);

    private MaintenanceSettings() {}

    private MaintenanceSettings(MaintenanceSettings other) {
        reconcileEvery = other.reconcileEvery;
        reconcileBatch = other.reconcileBatch;
        sweepEvery = other.sweepEvery;
        sweepBatch = other.sweepBatch;
        lease = other.lease;
        probeTimeout = other.probeTimeout;
        probeThreads = other.probeThreads;
        probesPerRound = other.probesPerRound;
        probePause = other.probePause;
        stuckAfter = other.stuckAfter;
    }

    /** The defaults. */
    public static MaintenanceSettings standard() {
        return STANDARD;
    }

    /** The pause between two rounds that look for lost owners and start probes; 5 s. */
    public MaintenanceSettings reconcileEvery(Duration pause) {
        return with(s -> s.reconcileEvery = checked("reconcileEvery", pause));
    }

    /** The number of records that a round reads at once; 100. */
    public MaintenanceSettings reconcileBatch(int records) {
        return with(s -> s.reconcileBatch = checked("reconcileBatch", records, MOST_AT_ONCE));
    }

    /** The pause between two sweeps; 1 min. */
    public MaintenanceSettings sweepEvery(Duration pause) {
        return with(s -> s.sweepEvery = checked("sweepEvery", pause));
    }

    /** The number of records that are swept at once; 1,000. */
    public MaintenanceSettings sweepBatch(int records) {
        return with(s -> s.sweepBatch = checked("sweepBatch", records, MOST_AT_ONCE));
    }

    /**
     * Sets how long a lost node keeps its turn, during which no other node takes over; 15 s. The lease is renewed after
     * every third of it.
     */
    public MaintenanceSettings lease(Duration lease) {
        return with(s -> s.lease = checked("lease", lease));
    }

    /** The time that a probe may take before it is interrupted and others go on without it; 10 s. */
    public MaintenanceSettings probeTimeout(Duration timeout) {
        return with(s -> s.probeTimeout = checked("probeTimeout", timeout));
    }

    /** The number of probes that run at once; 4. */
    public MaintenanceSettings probeThreads(int threads) {
        return with(s -> s.probeThreads = checked("probeThreads", threads, MOST_THREADS));
    }

    /** Sets how many probes of one operation a round starts at most; 100. Probes that waited longest come first. */
    public MaintenanceSettings probesPerRound(int probes) {
        return with(s -> s.probesPerRound = checked("probesPerRound", probes, MOST_AT_ONCE));
    }

    /** The pause between the first two probes of a record; it doubles up to six times. As long as {@code reconcileEvery} unless set. */
    public MaintenanceSettings probePause(Duration pause) {
        return with(s -> s.probePause = checked("probePause", pause));
    }

    /** The time that an outcome is unknown before the event STUCK and a line of level ERROR ask for a person; 5 min. */
    public MaintenanceSettings stuckAfter(Duration time) {
        return with(s -> s.stuckAfter = checked("stuckAfter", time));
    }

    public Duration reconcileEvery() {
        return reconcileEvery;
    }

    public int reconcileBatch() {
        return reconcileBatch;
    }

    public Duration sweepEvery() {
        return sweepEvery;
    }

    public int sweepBatch() {
        return sweepBatch;
    }

    public Duration lease() {
        return lease;
    }

    public Duration probeTimeout() {
        return probeTimeout;
    }

    public int probeThreads() {
        return probeThreads;
    }

    public int probesPerRound() {
        return probesPerRound;
    }

    public Duration probePause() {
        return probePause == null ? reconcileEvery : probePause;
    }

    public Duration stuckAfter() {
        return stuckAfter;
    }

    private MaintenanceSettings with(Consumer<MaintenanceSettings> edit) {
        MaintenanceSettings edited = new MaintenanceSettings(this);
        edit.accept(edited);
        return edited;
    }

    /** Shorter times would be none by the clock of the scheduler; longer ones are a mistake. */
    private static Duration checked(String name, Duration time) {
        if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be between 1 ms and 365 days, not " + time);
        }
        return time;
    }

    private static int checked(String name, int number, int most) {
        if (number < 1 || number > most) {
            throw new IllegalArgumentException(name + " must be between 1 and " + most + ", not " + number);
        }
        return number;
    }
}
