package io.onefold.benchmarks.stores;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;

/** Who is measured on a database. */
final class Subjects implements AutoCloseable {
    private final List<Subject> all = new ArrayList<>();
    private final Orders orders;

    Subjects(Database database, Plan plan) {
        HikariDataSource pool = database.pool(Plan.CONNECTIONS);
        orders = new Orders(database, pool);
        all.add(OnefoldSubject.leased(OnefoldSubject.NAME, pool));
        all.add(OnefoldSubject.nearCached(pool));
        all.add(new JoinedSubject(pool, orders));
        all.add(OnefoldSubject.leasedBeside(pool, orders));
        addOthers(database, pool, Plan.CONNECTIONS, "");
        all.add(Naive.threeCommits(database, pool, orders));
        all.add(new BareInsert(pool, orders));
        all.add(new PlainInsert(pool));
        all.add(new PlainSelect(pool));
        all.add(new Batches(pool));
        if (plan.alsoPeersDefault()) {
            int few = Plan.PEERS_DEFAULT;
            addOthers(database, database.pool(few), few, ", pool of " + few);
        }
    }

    private void addOthers(Database database, HikariDataSource pool, int connections, String suffix) {
        all.add(Naive.leased(database, pool, suffix));
        if (database.id().equals(Postgres.ID)) {
            all.add(new Dbos(database.pool(connections), suffix)); // it runs on no other
        }
        if (!database.id().equals(Sqlite.ID)) { // on which they do not run
            all.add(new SpringIntegration(pool, suffix));
            all.add(new Camel(pool, suffix));
            all.add(new ShedLock(pool, suffix));
        }
    }

    List<Subject> all() {
        return List.copyOf(all);
    }

    /** A batch needs as many callers as it has rows, so it is no limit for fewer. */
    List<Subject> of(Workload workload, int callers) {
        return all.stream()
                .filter(one -> one.traits().workloads().contains(workload))
                .filter(one -> callers >= 64 || !(one instanceof Subject.Batching))
                .toList();
    }

    Orders orders() {
        return orders;
    }

    @Override
    public void close() {
        all.forEach(Subject::close);
    }
}
