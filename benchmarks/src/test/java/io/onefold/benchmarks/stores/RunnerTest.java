package io.onefold.benchmarks.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunnerTest {
    private final Results results = new Results();
    private final List<Slice> log = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(Workload.class)
    void who_does_it_right_is_measured(Workload workload) throws Exception {
        measure(workload, new Remembering("right"));

        Slice last = log.get(log.size() - 1);
        assertThat(last.executions()).isEqualTo(last.keys());
        assertThat(results.rates(group(workload), "right")).hasSize(2);
    }

    @Test
    void every_slice_is_logged_and_the_warm_up_is_no_result() throws Exception {
        measure(Workload.FIRST, new Remembering("a"), new Remembering("b"));

        assertThat(log).extracting(Slice::subject).containsExactlyInAnyOrder("a", "b", "a", "b", "a", "b");
        assertThat(log).extracting(Slice::round).containsExactly(0, 0, 1, 1, 2, 2);
        assertThat(results.slices()).extracting(Slice::round).containsOnly(1, 2);
    }

    @Test
    void who_runs_it_again_in_a_replay_is_refused() {
        Subject forgetful = new Remembering("forgetful") {
            @Override
            public @Nullable String call(String key, Business business) {
                return business.run(key);
            }
        };
        assertThatThrownBy(() -> measure(Workload.REPLAY, forgetful))
                .rootCause()
                .hasMessageStartingWith("forgetful, replay: replayed ");
    }

    @Test
    void who_runs_it_again_behind_a_right_answer_is_refused() {
        Subject eager = new Remembering("eager") {
            @Override
            public @Nullable String call(String key, Business business) {
                business.run(key);
                return super.call(key, business);
            }
        };
        assertThatThrownBy(() -> measure(Workload.REPLAY, eager))
                .hasMessageMatching("eager, replay: ran [1-9]\\d* times for 0 keys");
        assertThatThrownBy(() -> measure(Workload.FIRST, eager)).hasMessageStartingWith("eager, first: ran ");
        assertThatThrownBy(() -> measure(Workload.HOT, eager)).hasMessageStartingWith("eager, hot: ran ");
    }

    @Test
    void who_does_not_run_it_is_refused() {
        Subject idle = new Remembering("idle") {
            @Override
            public @Nullable String call(String key, Business business) {
                return business.result(key);
            }
        };
        assertThatThrownBy(() -> measure(Workload.FIRST, idle))
                .hasMessageMatching("idle, first: ran 0 times for [1-9]\\d* keys");
    }

    @Test
    void who_has_no_answer_for_a_new_key_is_refused() {
        Subject silent = new Remembering("silent") {
            @Override
            public @Nullable String call(String key, Business business) {
                business.run(key);
                return null;
            }
        };
        assertThatThrownBy(() -> measure(Workload.FIRST, silent))
                .rootCause()
                .hasMessageStartingWith("silent, first: answered null");
    }

    @Test
    void who_answers_a_hot_key_in_two_ways_is_refused() {
        AtomicLong answers = new AtomicLong();
        Subject fickle = new Remembering("fickle") {
            @Override
            public @Nullable String call(String key, Business business) {
                return super.call(key, business) + answers.incrementAndGet();
            }
        };
        assertThatThrownBy(() -> measure(Workload.HOT, fickle))
                .rootCause()
                .hasMessageStartingWith("fickle, hot: answered ");
    }

    @Test
    void effects_that_are_not_one_for_each_key_are_refused() {
        Runner runner = new Runner(plan(), results, log::add);
        AtomicLong effects = new AtomicLong();
        assertThatThrownBy(() -> runner.measure(
                        group(Workload.JOINED),
                        Workload.JOINED,
                        List.of(new Remembering("lost")),
                        effects::incrementAndGet))
                .hasMessageMatching("lost, .*: 1 effects for [\\d,]+ keys");
    }

    @Test
    void each_has_its_turn_at_the_front_and_none_follows_the_same_always() {
        List<String> subjects = List.of("a", "b", "c", "d");
        Set<String> fronts = new HashSet<>();
        Set<String> beforeB = new HashSet<>();
        for (int round = 1; round <= 8; round++) {
            List<String> turn = Runner.turn(subjects, round);
            fronts.add(turn.get(0));
            int place = turn.indexOf("b");
            beforeB.add(place == 0 ? "" : turn.get(place - 1));
        }
        assertThat(fronts).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(beforeB).hasSizeGreaterThan(2);
    }

    private void measure(Workload workload, Subject... subjects) throws InterruptedException {
        try (Runner runner = new Runner(plan(), results, log::add)) {
            runner.measure(group(workload), workload, List.of(subjects));
        }
    }

    private static Group group(Workload workload) {
        return Group.of("memory", workload, 4);
    }

    private static Plan plan() {
        return BenchTest.smoke(2, 10);
    }
}
