package io.onefold.benchmarks.stores;

import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;

/** Who is measured on a database. */
final class SqlSubjects {
    private final Database database;
    private final List<Subject> all = new ArrayList<>();

    private SqlSubjects(Database database) {
        this.database = database;
    }

    static Subjects on(Database database, Plan plan) {
        return new SqlSubjects(database).of(plan);
    }

    private Subjects of(Plan plan) {
        HikariDataSource pool = database.shared();
        Orders orders = new Orders(database, pool);
        all.add(OnefoldSubject.leased(OnefoldSubject.NAME, pool));
        all.add(OnefoldSubject.nearCached(pool));
        all.add(new JoinedSubject(pool, orders));
        all.add(OnefoldSubject.leasedBeside(pool, orders));
        addOthers(pool, Plan.CONNECTIONS, "");
        all.add(Naive.threeCommits(database, pool, orders));
        all.add(new BareInsert(pool, orders));
        all.add(new PlainInsert(pool));
        all.add(new PlainSelect(pool));
        all.add(new Batches(pool));
        if (plan.alsoPeersDefault()) {
            int few = Plan.PEERS_DEFAULT;
            addOthers(database.pool(few), few, ", pool of " + few);
        }
        return new Subjects(all, orders::count, () -> {});
    }

    private void addOthers(HikariDataSource pool, int connections, String suffix) {
        all.add(Naive.leased(database, pool, suffix));
        if (database.id().equals(Postgres.ID)) {
            all.add(new Dbos(database.pool(connections), suffix)); // it runs on no other
        }
        if (!database.id().equals(Sqlite.ID)) { // on which they do not run
            all.add(SpringIntegration.jdbc(pool, suffix));
            all.add(new Camel(pool, suffix));
            all.add(new ShedLock(pool, suffix));
        }
    }
}
