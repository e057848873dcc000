package io.onefold.benchmarks.stores;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.EnumSet;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Onefold with the record in the transaction of the business: one commit for both. */
final class OnefoldJoined implements Subject {
    static final String NAME = "onefold joined";

    private static final Operation<String> PLACE = Operation.of("place-order-joined", String.class);

    private final Traits traits = new Traits(NAME, Kind.ONEFOLD, Set.of(Workload.JOINED), EnumSet.allOf(Feature.class));
    private final DataSource source;
    private final Orders orders;
    private final Onefold onefold;

    OnefoldJoined(DataSource source, Orders orders) {
        this.source = source;
        this.orders = orders;
        this.onefold = Onefold.on(Stores.open(source));
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) throws Exception {
        return onefold.run(PLACE, Key.of(key).matching(business.request(key)), attempt -> {
            String result = business.run(key);
            orders.insert(source, key, result);
            return result;
        });
    }

    @Override
    public void close() {
        onefold.close();
    }
}
