package io.onefold.benchmarks.stores;

import io.onefold.redis.RedisConnections;
import io.onefold.redis.RedisStore;
import io.onefold.servers.RedisServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.resps.ScanResult;

/** What a record takes in a Redis that has nothing else, after it was claimed and completed as always. */
final class RedisBytes {
    static final String EACH = "redis bytes per record";
    static final int GOAL = 470;

    private static final int LOOKED_AT = 1_000;

    /** A bucket and the twenty letters that a record is called in it. */
    private static final String RECORDS = RedisStore.Builder.PREFIX + ":{??}" + "?".repeat(20);

    private RedisBytes() {}

    static void measure(Plan plan, Results results, PrintStream out) throws InterruptedException {
        int records = plan.sizes().measured();
        try (RedisServer server = RedisServer.start()) {
            Used before;
            try (RedisConnections redis = RedisConnections.at(server.uri());
                    OnefoldSubject subject = OnefoldSubject.leased(OnefoldSubject.NAME, RedisStore.of(redis))) {
                before = Used.by(server);
                Known.by(subject, records, 1);
            }
            Used after = Used.by(server);
            Mean mean = mean(server);
            results.figure(EACH, mean.used);
            out.printf(
                    Locale.ROOT,
                    "%n%s bytes: %,d records, each with a result of %d bytes%n",
                    RedisVenue.ID,
                    records,
                    Business.RESULT_BYTES);
            line(out, "value alone (STRLEN)", mean.value);
            line(out, "key and value (MEMORY USAGE)", mean.used);
            line(out, "data with its indexes", (after.data - before.data) / (double) records);
            line(out, "everything, with the table of keys", (after.all - before.all) / (double) records);
        }
    }

    private static void line(PrintStream out, String what, double bytes) {
        out.printf(Locale.ROOT, "  %-36s %6.0f bytes per record%n", what, bytes);
    }

    /** In the mean of some; a scan comes upon them in no order. */
    private static Mean mean(RedisServer server) {
        try (RedisClient client = RedisClient.create(server.uri())) {
            List<String> keys = new ArrayList<>();
            ScanParams some = new ScanParams().match(RECORDS).count(LOOKED_AT);
            String cursor = ScanParams.SCAN_POINTER_START;
            do {
                ScanResult<String> found = client.scan(cursor, some);
                keys.addAll(found.getResult());
                cursor = found.getCursor();
            } while (keys.size() < LOOKED_AT && !cursor.equals(ScanParams.SCAN_POINTER_START));
            List<String> looked = keys.subList(0, Math.min(LOOKED_AT, keys.size()));
            return new Mean(
                    looked.stream().mapToLong(client::strlen).average().orElseThrow(),
                    looked.stream().mapToLong(client::memoryUsage).average().orElseThrow());
        }
    }

    /**
     * @param used of the memory, which is given out in steps
     */
    private record Mean(double value, double used) {}

    /**
     * @param data without what the server needs to find keys
     */
    private record Used(long data, long all) {
        static Used by(RedisServer server) {
            return new Used(number(server, "used_memory_dataset"), number(server, "used_memory"));
        }

        private static long number(RedisServer server, String name) {
            return Long.parseLong(RedisVenue.info(server, "memory", name));
        }
    }
}
