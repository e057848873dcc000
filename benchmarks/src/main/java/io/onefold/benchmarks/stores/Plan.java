package io.onefold.benchmarks.stores;

import static io.onefold.benchmarks.stores.Workload.FIRST;
import static io.onefold.benchmarks.stores.Workload.HOT;
import static io.onefold.benchmarks.stores.Workload.JOINED;
import static io.onefold.benchmarks.stores.Workload.MIX;
import static io.onefold.benchmarks.stores.Workload.REPLAY;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How much is measured; fixed before the run.
 *
 * @param warm how long each is run beforehand, several times: nobody is to pay for code that is not compiled yet; zero for not at all
 * @param rounds in each of which every subject has one slice
 * @param ramp how long callers run before the window opens
 * @param window what counts of a slice
 * @param alsoPeersDefault whether the others are measured on pools of their default size, too: HikariCP's is ten
 * @param callers for each venue and workload, with how many callers it is measured
 */
record Plan(
        String name,
        Duration warm,
        int rounds,
        Duration ramp,
        Duration window,
        boolean alsoPeersDefault,
        Sizes sizes,
        Map<String, Map<Workload, List<Integer>>> callers) {
    /** In the pool that all subjects on a database share. */
    static final int CONNECTIONS = 16;

    static final int PEERS_DEFAULT = 10;

    /**
     * How many rows there are.
     *
     * @param known keys that replays are taken from
     * @param measured records whose bytes are counted
     * @param few and {@code many}: rows of the tables whose speed is compared
     */
    record Sizes(int known, int measured, int few, int many) {}

    static Plan quick() {
        return new Plan(
                "quick (fewer and shorter slices than the full run)",
                Duration.ofMillis(1_000),
                7,
                Duration.ofMillis(40),
                Duration.ofMillis(210),
                false,
                new Sizes(1_000, 100_000, 10_000, 1_000_000),
                Map.of(
                        Postgres.ID,
                        Map.of(
                                FIRST, List.of(1, 8, 64, 256),
                                REPLAY, List.of(64),
                                MIX, List.of(64),
                                HOT, List.of(64),
                                JOINED, List.of(1, 64)),
                        MariaDb.ID,
                        Map.of(FIRST, List.of(64), REPLAY, List.of(64)),
                        Sqlite.ID,
                        Map.of(FIRST, List.of(64), REPLAY, List.of(64)),
                        RedisVenue.ID,
                        Map.of(FIRST, List.of(1, 8, 64), REPLAY, List.of(1, 64), MIX, List.of(64), HOT, List.of(64))));
    }

    static Plan full() {
        List<Integer> all = List.of(1, 8, 16, 32, 64, 256);
        Map<Workload, List<Integer>> onServers =
                Map.of(FIRST, all, REPLAY, all, MIX, List.of(64), HOT, List.of(64), JOINED, all);
        List<Integer> some = List.of(1, 8, 64);
        return new Plan(
                "full",
                Duration.ofSeconds(3),
                12,
                Duration.ofMillis(100),
                Duration.ofMillis(500),
                true,
                new Sizes(5_000, 100_000, 10_000, 1_000_000),
                Map.of(
                        Postgres.ID,
                        onServers,
                        MariaDb.ID,
                        onServers,
                        Sqlite.ID,
                        Map.of(FIRST, some, REPLAY, some),
                        RedisVenue.ID,
                        Map.of(FIRST, all, REPLAY, all, MIX, List.of(64), HOT, List.of(64))));
    }

    List<Integer> callers(String venue, Workload workload) {
        return callers.getOrDefault(venue, Map.of()).getOrDefault(workload, List.of());
    }

    String describe() {
        return name + ": " + rounds + " rounds after a warm-up, in each one slice of " + window.toMillis()
                + " ms (after "
                + ramp.toMillis() + " ms of start) for every subject, in rotated order; on databases a pool of "
                + CONNECTIONS
                + (alsoPeersDefault ? ", the others also on their default of " + PEERS_DEFAULT : "");
    }
}
