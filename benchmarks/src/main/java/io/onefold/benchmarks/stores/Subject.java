package io.onefold.benchmarks.stores;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One way to run business once for a key. Callers share it. */
interface Subject extends AutoCloseable {

    Traits traits();

    /**
     * Runs the business, unless it was run for this key before.
     *
     * @return its result, from this call or the first; null where there is none to give: another caller is at it, or the subject
     *     keeps no results
     */
    @Nullable
    String call(String key, Business business) throws Exception;

    default String name() {
        return traits().name();
    }

    @Override
    default void close() {}

    /** Takes many keys at once on few connections, as no caller of a service can: a limit, not a rival. */
    interface Batching extends Subject {
        int LANES = 2;

        void callAll(List<String> keys, Business business) throws Exception;
    }
}
