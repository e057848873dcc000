package io.onefold.benchmarks.stores;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import io.onefold.store.NearCache;
import io.onefold.store.Store;
import java.util.EnumSet;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Onefold as it comes: nothing is set but the store. */
final class OnefoldSubject implements Subject {
    static final String NAME = "onefold";

    private static final Operation<String> PLACE = Operation.of("place-order", String.class);
    private static final int NEAR_PLACES = 16_384;

    private final Traits traits;
    private final Store store;
    private final Onefold onefold;

    OnefoldSubject(String name, Set<Workload> workloads, Store store, Onefold onefold) {
        this.traits = new Traits(name, Kind.ONEFOLD, workloads, EnumSet.allOf(Feature.class));
        this.store = store;
        this.onefold = onefold;
    }

    static OnefoldSubject on(DataSource source, String name) {
        Store store = Stores.open(source);
        Set<Workload> workloads = Set.of(Workload.FIRST, Workload.REPLAY, Workload.MIX, Workload.HOT);
        return new OnefoldSubject(name, workloads, store, Onefold.on(store));
    }

    static OnefoldSubject nearCached(DataSource source) {
        Store store = Stores.open(source);
        Onefold onefold = Onefold.on(NearCache.over(store, NEAR_PLACES, System::nanoTime));
        return new OnefoldSubject(NAME + " with near cache", Set.of(Workload.REPLAY), store, onefold);
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) {
        Outcome<String> outcome =
                onefold.attempt(PLACE, Key.of(key).matching(business.request(key)), attempt -> business.run(key));
        return outcome instanceof Outcome.Busy ? null : outcome.orThrow();
    }

    @Override
    public void close() {
        onefold.close();
        if (store instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
