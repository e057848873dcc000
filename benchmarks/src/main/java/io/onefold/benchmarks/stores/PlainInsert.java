package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.Set;
import javax.sql.DataSource;

/** The limit of all that work one by one: a single insert, committed, and nothing asked before. */
final class PlainInsert implements Subject {
    private static final Traits TRAITS = new Traits("one plain insert per commit", Kind.LIMIT, Set.of(Workload.FIRST));

    private final DataSource source;

    PlainInsert(DataSource source) {
        this.source = source;
        Sql.execute(
                source, "create table if not exists plain_insert (k varchar(64) primary key, result varchar(1000))");
    }

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public String call(String key, Business business) throws Exception {
        String result = business.run(key);
        Sql.update(source, "insert into plain_insert (k, result) values (?, ?)", key, result);
        return result;
    }
}
