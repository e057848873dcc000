package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.EnumSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A subject in memory that does it right; those in the tests do some of it wrong. */
class Remembering implements Subject {
    private final Map<String, String> results = new ConcurrentHashMap<>();
    private final String name;

    Remembering(String name) {
        this.name = name;
    }

    @Override
    public Traits traits() {
        return new Traits(name, Kind.STORES_RESULT, EnumSet.allOf(Workload.class), Feature.RESULT);
    }

    @Override
    public @Nullable String call(String key, Business business) {
        return results.computeIfAbsent(key, business::run);
    }
}
