package io.onefold.benchmarks.stores;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import io.onefold.jdbc.JdbcStore;
import io.onefold.store.NearCache;
import io.onefold.store.Store;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Onefold as it comes: nothing is set but the store. */
final class OnefoldSubject implements Subject {
    static final String NAME = "onefold";
    static final String JOINED = "onefold joined";
    static final String FRONT_DOOR = "onefold front door";

    private static final Operation<String> PLACE = Operation.of("place-order", String.class);
    private static final int NEAR_PLACES = 16_384;

    private final Traits traits;
    private final Onefold onefold;
    private final Effect effect;

    private OnefoldSubject(String name, Set<Workload> workloads, Store store, Effect effect) {
        this.traits = new Traits(name, Kind.ONEFOLD, workloads, EnumSet.allOf(Feature.class));
        this.onefold = Onefold.on(store);
        this.effect = effect;
    }

    private interface Effect {
        void of(String key, String result) throws SQLException;
    }

    static OnefoldSubject leased(String name, DataSource source) {
        return leased(name, JdbcStore.of(source));
    }

    static OnefoldSubject leased(String name, Store store) {
        Set<Workload> workloads = Set.of(Workload.FIRST, Workload.REPLAY, Workload.MIX, Workload.HOT);
        return new OnefoldSubject(name, workloads, store, (key, result) -> {});
    }

    /** With a store that only replays profit from. */
    static OnefoldSubject replaying(String name, Store store) {
        return new OnefoldSubject(name, Set.of(Workload.REPLAY), store, (key, result) -> {});
    }

    static OnefoldSubject nearCached(DataSource source) {
        Store store = NearCache.over(JdbcStore.of(source), NEAR_PLACES, System::nanoTime);
        return replaying(NAME + " with near cache", store);
    }

    /** With a business insert that is a commit of its own. */
    static OnefoldSubject leasedBeside(DataSource source, Orders orders) {
        return new OnefoldSubject(
                NAME + " leased",
                Set.of(Workload.JOINED),
                JdbcStore.of(source),
                (key, result) -> orders.insert(source, key, result));
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) throws SQLException {
        Outcome<String> outcome = onefold.attempt(PLACE, Key.of(key).matching(business.request(key)), attempt -> {
            String result = business.run(key);
            effect.of(key, result);
            return result;
        });
        return outcome instanceof Outcome.InProgress ? null : outcome.orThrow();
    }

    @Override
    public void close() {
        onefold.close();
    }
}
