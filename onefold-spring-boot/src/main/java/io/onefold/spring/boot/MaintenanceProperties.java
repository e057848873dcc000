package io.onefold.spring.boot;

import io.onefold.upkeep.MaintenanceSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What goes on beside the calls.
 *
 * @param enabled Whether this node finds lost owners, asks probes and sweeps.
 * @param reconcileEvery How often lost owners are looked for, and probes are started.
 * @param reconcileBatch How many stuck records are read at once.
 * @param sweepEvery How often records are swept that were kept long enough.
 * @param sweepBatch How many records are swept at once.
 * @param lease How long a node that is lost keeps the turn, so that no other node takes over.
 * @param probeTimeout How long a probe may take before it is interrupted and others go on without it.
 * @param probeThreads How many probes run at once.
 * @param probesPerRound How many probes of one operation are started at most each time that stuck records are looked at.
 * @param probePause Pause between the first two probes of a record, which doubles up to six times. As reconcile-every if not set.
 * @param stuckAfter How long an outcome is unknown before the event STUCK and a line of level ERROR ask for a person.
 */
record MaintenanceProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("5s") Duration reconcileEvery,
        @DefaultValue("100") int reconcileBatch,
        @DefaultValue("1m") Duration sweepEvery,
        @DefaultValue("1000") int sweepBatch,
        @DefaultValue("15s") Duration lease,
        @DefaultValue("10s") Duration probeTimeout,
        @DefaultValue("4") int probeThreads,
        @DefaultValue("100") int probesPerRound,
        @Nullable Duration probePause,
        @DefaultValue("5m") Duration stuckAfter) {

    MaintenanceProperties {
        Duration shortest = Duration.ofMillis(1);
        PropertyLimits.atLeast("onefold.upkeep.reconcile-every", shortest, reconcileEvery);
        PropertyLimits.atLeast("onefold.upkeep.reconcile-batch", 1, reconcileBatch);
        PropertyLimits.atLeast("onefold.upkeep.sweep-every", shortest, sweepEvery);
        PropertyLimits.atLeast("onefold.upkeep.sweep-batch", 1, sweepBatch);
        PropertyLimits.atLeast("onefold.upkeep.lease", shortest, lease);
        PropertyLimits.atLeast("onefold.upkeep.probe-timeout", shortest, probeTimeout);
        PropertyLimits.atLeast("onefold.upkeep.probe-threads", 1, probeThreads);
        PropertyLimits.atLeast("onefold.upkeep.probes-per-round", 1, probesPerRound);
        PropertyLimits.atLeast("onefold.upkeep.probe-pause", shortest, probePause);
        PropertyLimits.atLeast("onefold.upkeep.stuck-after", shortest, stuckAfter);
    }

    /** @throws IllegalArgumentException if a value is too large */
    MaintenanceSettings settings() {
        MaintenanceSettings settings = MaintenanceSettings.standard()
                .reconcileEvery(reconcileEvery)
                .reconcileBatch(reconcileBatch)
                .sweepEvery(sweepEvery)
                .sweepBatch(sweepBatch)
                .lease(lease)
                .probeTimeout(probeTimeout)
                .probeThreads(probeThreads)
                .probesPerRound(probesPerRound)
                .stuckAfter(stuckAfter);
        return probePause == null ? settings : settings.probePause(probePause);
    }
}
