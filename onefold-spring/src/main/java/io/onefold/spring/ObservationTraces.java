package io.onefold.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.onefold.Attempt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;

/**
 * Adds the operation and the safe form of the key to the current observation, and so to its span. Both have high cardinality, since values
 * of low cardinality would become tags of its metrics. Existing values are kept: they belong to the outermost attempt.
 */
record ObservationTraces(ObservationRegistry registry) implements AttemptTraces {
    private static final Logger LOG = LoggerFactory.getLogger(ObservationTraces.class);

    static AttemptTraces of(BeanFactory beans) {
        ObservationRegistry registry =
                beans.getBeanProvider(ObservationRegistry.class).getIfUnique();
        return registry == null ? NONE : new ObservationTraces(registry);
    }

    @Override
    public void tell(Attempt attempt, @Nullable Object observation) {
        try {
            note(attempt, observation);
        } catch (RuntimeException e) {
            // a failing observation must not harm the observed call
            LOG.warn("an observation could not be told of an attempt at {}", attempt.operation(), e);
        }
    }

    private void note(Attempt attempt, @Nullable Object observation) {
        Observation current = observation instanceof Observation own ? own : registry.getCurrentObservation();
        if (current != null && current.getContextView().getHighCardinalityKeyValue(CurrentAttempt.MDC_KEY) == null) {
            current.highCardinalityKeyValue(CurrentAttempt.MDC_OPERATION, attempt.operation())
                    .highCardinalityKeyValue(CurrentAttempt.MDC_KEY, attempt.safeKey());
        }
    }
}
