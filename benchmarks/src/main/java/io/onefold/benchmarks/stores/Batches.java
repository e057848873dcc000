package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** The limit of all that work together: statements of 64 to 128 rows on two connections, made by hand. */
final class Batches implements Subject.Batching {
    private static final Traits TRAITS =
            new Traits("batches of 64-128 rows by hand", Kind.LIMIT, Set.of(Workload.FIRST));

    private final DataSource source;

    Batches(DataSource source) {
        this.source = source;
        Sql.execute(source, "create table if not exists batches (k varchar(64) primary key, result varchar(1000))");
    }

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public String call(String key, Business business) {
        throw new UnsupportedOperationException("takes many keys or none");
    }

    @Override
    public void callAll(List<String> keys, Business business) throws Exception {
        List<Object> values = new ArrayList<>(2 * keys.size());
        for (String key : keys) {
            values.add(key);
            values.add(business.run(key));
        }
        String rows = "(?, ?), ".repeat(keys.size() - 1) + "(?, ?)";
        Sql.update(source, "insert into batches (k, result) values " + rows, values.toArray());
    }
}
