package io.onefold.spring.boot;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What goes on beside the calls.
 *
 * @param enabled Whether this node finds lost owners, asks probes and sweeps.
 * @param reconcileEvery How often what is stuck is looked at.
 * @param sweepBatch How many records are swept at once.
 */
record UpkeepProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("5s") Duration reconcileEvery,
        @DefaultValue("1000") int sweepBatch) {

    UpkeepProperties {
        Limits.atLeast("onefold.upkeep.reconcile-every", Duration.ofMillis(1), reconcileEvery);
        Limits.atLeast("onefold.upkeep.sweep-batch", 1, sweepBatch);
    }
}
