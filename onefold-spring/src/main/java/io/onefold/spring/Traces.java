package io.onefold.spring;

import io.onefold.Attempt;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/** What is told of attempts to whoever traces the work around them. */
interface Traces {
    Traces NONE = (attempt, observation) -> {};

    /** Where a Reactor context has the observation that goes on in it. */
    String CONTEXT = "micrometer.observation";

    /**
     * Tells of an attempt that begins.
     *
     * @param observation that of the context, null for that of the thread
     */
    void tell(Attempt attempt, @Nullable Object observation);

    /** For the application's observations, where it has some. */
    static Traces of(BeanFactory beans) {
        return ObservedTraces.of(beans);
    }
}
