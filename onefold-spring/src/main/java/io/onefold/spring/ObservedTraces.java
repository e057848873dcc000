package io.onefold.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.onefold.Attempt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;

/**
 * Tells the observation that is under way, and so its span, in which operation it is and the safe form of the key. With high
 * cardinality both, as the others would become tags of its metrics. What stands there is left: it is that of the outermost attempt.
 */
record ObservedTraces(ObservationRegistry registry) implements Traces {
    private static final Logger LOG = LoggerFactory.getLogger(ObservedTraces.class);

    static Traces of(BeanFactory beans) {
        ObservationRegistry registry =
                beans.getBeanProvider(ObservationRegistry.class).getIfUnique();
        return registry == null ? NONE : new ObservedTraces(registry);
    }

    @Override
    public void tell(Attempt attempt, @Nullable Object observation) {
        try {
            note(attempt, observation);
        } catch (RuntimeException e) {
            // whoever observes must not hurt what is observed
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
