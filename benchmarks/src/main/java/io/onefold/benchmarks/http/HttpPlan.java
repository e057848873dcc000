package io.onefold.benchmarks.http;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured; fixed before the run.
 *
 * @param warm how long each way is run beforehand, each time
 * @param warmings how often
 * @param known orders that replays are taken from
 * @param keys that duplicates wait for
 * @param duplicates requests of each key, with the first
 * @param uploads in all
 * @param sampled after how many uploads the heap is looked at
 */
record HttpPlan(
        String name,
        Duration warm,
        int warmings,
        int rounds,
        Duration ramp,
        Duration window,
        List<Integer> connections,
        int known,
        int keys,
        int duplicates,
        int uploads,
        int sampled) {
    static final int UPLOAD_BYTES = 10 << 20;
    static final int UPLOADS_AT_ONCE = 8;

    static HttpPlan quick() {
        return new HttpPlan(
                "quick (fewer and shorter slices than the full run)",
                Duration.ofSeconds(1),
                3,
                7,
                Duration.ofMillis(150),
                Duration.ofMillis(300),
                List.of(1, 8, 64),
                1_000,
                200,
                10,
                200,
                20);
    }

    static HttpPlan full() {
        return new HttpPlan(
                "full",
                Duration.ofSeconds(2),
                5,
                15,
                Duration.ofMillis(200),
                Duration.ofMillis(500),
                List.of(1, 8, 64),
                5_000,
                200,
                10,
                1_000,
                100);
    }

    String describe() {
        return "%s: %d rounds after a warm-up, in each one slice of %d ms (after %d ms of start) for every way, in rotated order"
                .formatted(name, rounds, window.toMillis(), ramp.toMillis());
    }
}
