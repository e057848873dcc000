package io.onefold.benchmarks.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private static final Group ON_REDIS = Group.of(RedisVenue.ID, Workload.REPLAY, 64);
    private static final Group GROUP = Group.of(Postgres.ID, Workload.FIRST, 64);

    private final Results results = new Results();

    @Test
    void a_ratio_is_the_median_of_the_ratios_of_all_rounds() {
        // the second round was slow for both, the third for one
        add("onefold", Kind.ONEFOLD, 300, 30, 290);
        add("other", Kind.STORES_RESULT, 100, 10, 50);

        Results.Ratio ratio = results.ratio(GROUP, "onefold", "other");

        assertThat(ratio).isEqualTo(new Results.Ratio(3, 3, 5.8));
    }

    @Test
    void the_spread_is_half_the_range_of_the_middle_half() {
        assertThat(Results.median(1, 5, 2, 4, 3)).isEqualTo(3);
        assertThat(Results.median(1, 2)).isEqualTo(1.5);
        assertThat(Results.spread(80, 90, 100, 110, 1_000)).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void a_goal_compares_with_the_best_that_stores_results() {
        add("onefold", Kind.ONEFOLD, 300, 300, 300);
        add("slow", Kind.STORES_RESULT, 10, 10, 10);
        add("fast", Kind.STORES_RESULT, 100, 100, 100);
        add("weak", Kind.WEAKER, 1_000, 1_000, 1_000);

        assertThat(Goals.of(results))
                .extracting(Goal::toString)
                .contains("postgresql first, 64 callers: onefold / best that stores results (fast)"
                        + " = 3.00x (rounds 3.00x to 3.00x), goal at least 2.50x: held");
    }

    @Test
    void a_goal_that_is_missed_or_was_not_measured_says_so() {
        add("onefold", Kind.ONEFOLD, 100, 110, 90);
        add("one plain insert per commit", Kind.LIMIT, 100, 100, 100);

        assertThat(Goals.of(results))
                .extracting(Goal::toString)
                .contains(
                        "postgresql first, 64 callers: onefold / one plain insert per commit"
                                + " = 1.00x (rounds 0.90x to 1.10x), goal at least 1.20x: NOT held",
                        "postgresql: bytes per record: not measured");
    }

    @Test
    void on_redis_goals_are_over_those_with_the_same_client() {
        add(ON_REDIS, "onefold", Kind.ONEFOLD, 150, 150, 150);
        add(ON_REDIS, "onefold front door", Kind.ONEFOLD, 120, 120, 120);
        add(ON_REDIS, "one GET, pooled Jedis", Kind.LIMIT, 100, 100, 100);
        results.figure(RedisBytes.EACH, 471);

        assertThat(Goals.of(results))
                .extracting(Goal::toString)
                .contains(
                        "redis replay, 64 callers: onefold / one GET, pooled Jedis"
                                + " = 1.50x (rounds 1.50x to 1.50x), goal at least 1.20x: held",
                        "redis replay, 64 callers: onefold front door / onefold"
                                + " = 0.80x (rounds 0.80x to 0.80x), goal at least 0.90x: NOT held",
                        "redis: bytes per record = 471 (goal at most 470): NOT held");
    }

    private void add(String subject, Kind kind, int... rates) {
        add(GROUP, subject, kind, rates);
    }

    private void add(Group group, String subject, Kind kind, int... rates) {
        results.expect(new Traits(subject, kind, Set.of(Workload.FIRST)));
        for (int round = 1; round <= rates.length; round++) {
            results.add(new Slice(group, subject, round, 1, rates[round - 1], 0, 0, 0, 0));
        }
    }
}
