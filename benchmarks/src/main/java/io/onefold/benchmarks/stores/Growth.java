package io.onefold.benchmarks.stores;

import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Whether many rows slow it down: two tables on one server, measured in turn like any two subjects. */
final class Growth {
    static final String FEW = "onefold, few rows";
    static final String MANY = "onefold, many rows";
    static final double GOAL = 1.3;

    static final List<Workload> WORKLOADS = List.of(Workload.FIRST, Workload.REPLAY);

    private static final int CALLERS = 64;

    private Growth() {}

    static Group group(Workload workload) {
        return new Group(Postgres.ID, "growth-" + workload.id(), CALLERS);
    }

    static void measure(Postgres database, Plan plan, Runner runner) throws InterruptedException, SQLException {
        DataSource few = database.pool(database.another(), Plan.CONNECTIONS);
        DataSource many = database.pool(database.another(), Plan.CONNECTIONS);
        try (OnefoldSubject onFew = OnefoldSubject.leased(FEW, few);
                OnefoldSubject onMany = OnefoldSubject.leased(MANY, many)) {
            fill(few, onFew, plan.sizes().few());
            fill(many, onMany, plan.sizes().many());
            List<Subject> both = List.of(onFew, onMany);
            for (Workload workload : WORKLOADS) {
                runner.measure(group(workload), workload, both);
            }
        }
    }

    /** Copies of a record that came about as always, but for what identifies it. */
    private static void fill(DataSource pool, Subject subject, int rows) throws InterruptedException, SQLException {
        Known.by(subject, 1, rows);
        String columns = Sql.text(
                pool,
                "select string_agg(quote_ident(column_name), ', ' order by ordinal_position)"
                        + " from information_schema.columns where table_name = 'idempotent_record'");
        String values = (columns + ",")
                .replaceFirst("\\bid,", "gen_random_uuid(),")
                .replaceFirst("\\bidem_key,", "gen_random_uuid()::text,");
        Sql.execute(
                pool,
                "insert into idempotent_record (" + columns + ") select " + values.substring(0, values.length() - 1)
                        + " from (select * from idempotent_record limit 1) one, generate_series(1, " + rows + ")",
                "vacuum analyze idempotent_record",
                "checkpoint");
    }
}
