package io.onefold.benchmarks.stores;

import java.io.PrintStream;
import java.util.Locale;
import javax.sql.DataSource;

/** What a record takes on PostgreSQL, with its indexes, after it was claimed and completed as always. */
final class Bytes {
    static final String AS_IT_IS = "bytes per record";
    static final int GOAL = 500;

    private Bytes() {}

    static void measure(Postgres database, Plan plan, Results results, PrintStream out) throws InterruptedException {
        DataSource pool = database.pool(database.another(), Plan.CONNECTIONS);
        try (OnefoldSubject subject = OnefoldSubject.leased(OnefoldSubject.NAME, pool)) {
            Known.by(subject, plan.sizes().measured(), 1);
        }
        results.figure(AS_IT_IS, perRecord(pool));
        out.printf(
                Locale.ROOT,
                "%n%s bytes: %,d records, each with a result of %d bytes%n",
                database.id(),
                plan.sizes().measured(),
                Business.RESULT_BYTES);
        out.printf(Locale.ROOT, "  %-32s %6.0f bytes per record%n", "as it is", perRecord(pool));
        Sql.execute(pool, "vacuum idempotent_record");
        out.printf(Locale.ROOT, "  %-32s %6.0f bytes per record%n", "after vacuum", perRecord(pool));
        Sql.execute(pool, "vacuum full idempotent_record");
        out.printf(Locale.ROOT, "  %-32s %6.0f bytes per record%n", "after vacuum full", perRecord(pool));
    }

    private static double perRecord(DataSource pool) {
        return Sql.number(pool, "select pg_total_relation_size('idempotent_record')")
                / (double) Sql.number(pool, "select count(*) from idempotent_record");
    }
}
