package io.onefold.benchmarks.stores;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured; fixed before the run.
 *
 * @param rounds in each of which every subject has one slice
 * @param ramp how long callers run before the window opens
 * @param window what counts of a slice
 * @param knownKeys how many keys the replays are taken from
 * @param connections in the pool that all subjects share
 * @param alsoPeersDefault whether the others are measured on a pool of ten, too, which is HikariCP's default
 */
record Plan(
        String name,
        int rounds,
        Duration ramp,
        Duration window,
        int knownKeys,
        int connections,
        boolean alsoPeersDefault,
        int bytesRecords,
        int fewRows,
        int manyRows) {
    static final int PEERS_DEFAULT = 10;

    private static final List<Integer> ALL = List.of(1, 8, 16, 32, 64, 256);

    static Plan quick() {
        return new Plan(
                "quick",
                7,
                Duration.ofMillis(50),
                Duration.ofMillis(250),
                1_000,
                16,
                false,
                100_000,
                10_000,
                1_000_000);
    }

    static Plan full() {
        return new Plan(
                "full",
                12,
                Duration.ofMillis(100),
                Duration.ofMillis(500),
                5_000,
                16,
                true,
                100_000,
                10_000,
                1_000_000);
    }

    boolean isQuick() {
        return !name.equals("full");
    }

    /** With how many callers a workload is measured; none where it is not. */
    List<Integer> callers(String database, Workload workload) {
        return switch (database) {
            case "postgresql" -> isQuick() ? quickPostgres(workload) : fullServer(workload);
            case "mariadb" -> isQuick() ? (isOneOfTwo(workload) ? List.of(64) : List.of()) : fullServer(workload);
            default -> isOneOfTwo(workload) ? (isQuick() ? List.of(64) : List.of(1, 8, 64)) : List.of();
        };
    }

    private static List<Integer> quickPostgres(Workload workload) {
        return switch (workload) {
            case FIRST -> List.of(1, 8, 64, 256);
            case JOINED -> List.of(1, 64);
            default -> List.of(64);
        };
    }

    private static List<Integer> fullServer(Workload workload) {
        return switch (workload) {
            case FIRST, REPLAY, JOINED -> ALL;
            default -> List.of(64);
        };
    }

    private static boolean isOneOfTwo(Workload workload) {
        return workload == Workload.FIRST || workload == Workload.REPLAY;
    }

    String describe() {
        return "%s: %d rounds after a warm-up, in each one slice of %d ms (after %d ms of start) for every subject, in rotated order; pool of %d%s%s"
                .formatted(
                        name,
                        rounds,
                        window.toMillis(),
                        ramp.toMillis(),
                        connections,
                        alsoPeersDefault ? ", the others also on their default of " + PEERS_DEFAULT : "",
                        isQuick() ? "; fewer and shorter slices than the full run" : "");
    }
}
