package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What people write: {@link NaiveTable}. Where the business is to insert into the same database, it does so in a commit of its own. */
final class Naive implements Subject {
    private final Traits traits;
    private final NaiveTable table;
    private final Effect effect;

    private Naive(String name, Set<Workload> workloads, NaiveTable table, Effect effect) {
        this.traits = new Traits(name, Kind.STORES_RESULT, workloads, Feature.RESULT, Feature.HASH, Feature.EXPIRY);
        this.table = table;
        this.effect = effect;
    }

    private interface Effect {
        void of(String key, String result) throws SQLException;
    }

    static Naive leased(Database database, DataSource source, String suffix) {
        return new Naive(
                "naive select, insert, update" + suffix,
                Set.of(Workload.FIRST, Workload.REPLAY, Workload.MIX, Workload.HOT),
                new NaiveTable(database, source, "naive_record"),
                (key, result) -> {});
    }

    static Naive threeCommits(Database database, DataSource source, Orders orders) {
        return new Naive(
                "naive three commits",
                Set.of(Workload.JOINED),
                new NaiveTable(database, source, "naive_joined_record"),
                (key, result) -> orders.insert(source, key, result));
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) throws Exception {
        String hash = NaiveTable.hash(business.request(key));
        NaiveTable.Row found = table.find(key);
        if (found != null) {
            return NaiveTable.answer(found, hash);
        }
        if (!table.insert(key, hash)) {
            return null;
        }
        String result = business.run(key);
        effect.of(key, result);
        table.complete(key, result);
        return result;
    }
}
