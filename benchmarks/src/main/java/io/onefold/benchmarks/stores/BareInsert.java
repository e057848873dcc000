package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.Set;
import javax.sql.DataSource;

/** The business insert alone, protected by nothing. */
final class BareInsert implements Subject {
    private static final Traits TRAITS = new Traits("bare business insert", Kind.LIMIT, Set.of(Workload.JOINED));

    private final DataSource source;
    private final Orders orders;

    BareInsert(DataSource source, Orders orders) {
        this.source = source;
        this.orders = orders;
    }

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public String call(String key, Business business) throws Exception {
        String result = business.run(key);
        orders.insert(source, key, result);
        return result;
    }
}
