package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.Set;
import javax.sql.DataSource;

/** The limit of all replays that ask one by one: a single select by primary key. */
final class PlainSelect implements Subject {
    private static final Traits TRAITS =
            new Traits("one plain select by key", Kind.LIMIT, Set.of(Workload.REPLAY), Feature.RESULT);

    private final DataSource source;

    PlainSelect(DataSource source) {
        this.source = source;
        Sql.execute(
                source, "create table if not exists plain_select (k varchar(64) primary key, result varchar(1000))");
    }

    @Override
    public Traits traits() {
        return TRAITS;
    }

    /** Inserts only what is prepared before the measuring. */
    @Override
    public String call(String key, Business business) throws Exception {
        String found = Sql.text(source, "select result from plain_select where k = ?", key);
        if (found == null) {
            found = business.run(key);
            Sql.update(source, "insert into plain_select (k, result) values (?, ?)", key, found);
        }
        return found;
    }
}
