package io.onefold.spring;

import io.onefold.Attempt;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/** Reports attempts to the tracing of the work around them. */
interface AttemptTraces {
    AttemptTraces NONE = (attempt, observation) -> {};

    /** The key of the current observation in a Reactor context. */
    String CONTEXT = "micrometer.observation";

    /**
     * Reports an attempt that begins.
     *
     * @param observation the observation of the context; null for the one of the thread
     */
    void tell(Attempt attempt, @Nullable Object observation);

    /** Returns the traces for the application's observations, if it has any. */
    static AttemptTraces of(BeanFactory beans) {
        return ObservationTraces.of(beans);
    }
}
