package io.onefold.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Onefold;
import io.onefold.store.MemoryStore;
import io.onefold.store.NearCache;
import io.onefold.store.StoreException;
import io.onefold.store.TieredStore;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jacoco.agent.rt.RT;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.jupiter.api.Test;

/** {@code -Donefold.schedules=N} runs more, {@code -Donefold.seed=S} from elsewhere. */
class SimulatorTest {
    /** The mutant that is hardest to find shows itself once in 120 schedules, and never hid for more than 543 of them. */
    private static final long SCHEDULES = Long.getLong("onefold.schedules", 20_000);

    private static final long SEED = Long.getLong("onefold.seed", 1);

    /** Everything between the door of asynchronous calls and the store. */
    private static final Set<String> ENGINE = Set.of(
            "io/onefold/AsyncCall",
            "io/onefold/PayloadComparison",
            "io/onefold/Decision",
            "io/onefold/WorkExecution",
            "io/onefold/OperationCall",
            "io/onefold/StepExecutor",
            "io/onefold/Lease",
            "io/onefold/LeaseRenewals",
            "io/onefold/Waiters",
            "io/onefold/Waiters$RecordQueue",
            "io/onefold/Waiters$Waiter",
            "io/onefold/upkeep/Reconciler",
            "io/onefold/upkeep/Reconciler$ProbedOperation");

    @Test
    void every_schedule_holds_and_together_they_reach_the_engine() throws Exception {
        RT.getAgent().reset();
        Optional<Simulator.FailedSchedule> failure = Simulator.run(SEED, SCHEDULES, SimulationSetup.REAL);
        assertThat(failure)
                .withFailMessage(() -> failure.orElseThrow() + "; replay it with -Donefold.schedules=1 -Donefold.seed="
                        + failure.orElseThrow().seed())
                .isEmpty();
        List<IClassCoverage> engine = coverage();
        int covered = engine.stream()
                .map(IClassCoverage::getBranchCounter)
                .mapToInt(ICounter::getCoveredCount)
                .sum();
        int total = engine.stream()
                .map(IClassCoverage::getBranchCounter)
                .mapToInt(ICounter::getTotalCount)
                .sum();
        System.out.printf(
                "%,d schedules from seed %d held; they reach %d of %d branches of the engine%n",
                SCHEDULES, SEED, covered, total);
        // which branches are reached is the same each time from one seed, and a little less from some others
        if (SEED == 1 && SCHEDULES >= 10_000) {
            assertThat(engine).hasSize(ENGINE.size());
            assertThat(covered * 100)
                    .as("branches reached, of %s", missed(engine))
                    .isGreaterThanOrEqualTo(total * 95);
        }
    }

    @Test
    void every_schedule_holds_behind_a_near_cache() {
        SimulationSetup cached = SimulationSetup.REAL.stores(
                (clock, breathe) -> NearCache.over(new MemoryStore(clock), 16, () -> clock.getAsLong() * 1_000));
        assertThat(Simulator.run(SEED, Math.max(1, SCHEDULES / 5), cached)).isEmpty();
    }

    @Test
    void every_schedule_holds_behind_a_front_door_that_fails_and_forgets() {
        SimulationSetup fronted = SimulationSetup.REAL
                .withMarks()
                .stores((clock, breathe) -> TieredStore.over(
                        new ForgetfulStore(clock),
                        new MemoryStore(clock),
                        restless(),
                        () -> clock.getAsLong() * 1_000));
        assertThat(Simulator.run(SEED, Math.max(1, SCHEDULES / 5), fronted)).isEmpty();
    }

    /** An epoch that changes now and then, and now and then cannot be read. */
    private static Supplier<String> restless() {
        AtomicInteger readings = new AtomicInteger();
        return () -> {
            int reading = readings.incrementAndGet();
            if (reading % 5 == 0) {
                throw new StoreException("not now");
            }
            return "epoch " + reading / 7;
        };
    }

    @Test
    void a_schedule_is_the_same_each_time() {
        SimulationSetup broken = Mutants.ANY.setup();
        Simulator.FailedSchedule first = Simulator.run(1, 10_000, broken).orElseThrow();
        for (int i = 0; i < 3; i++) {
            assertThat(Simulator.replay(first.seed(), broken))
                    .hasValueSatisfying(again -> assertThat(again).hasToString(first.toString()));
        }
    }

    private static List<IClassCoverage> coverage() throws IOException {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(new ByteArrayInputStream(RT.getAgent().getExecutionData(false)));
        CoverageBuilder builder = new CoverageBuilder();
        File core = new File(Onefold.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        new Analyzer(loader.getExecutionDataStore(), builder).analyzeAll(core);
        return builder.getClasses().stream()
                .filter(each -> ENGINE.contains(each.getName()))
                .toList();
    }

    private static String missed(List<IClassCoverage> engine) {
        StringBuilder lines = new StringBuilder();
        for (IClassCoverage each : engine) {
            for (int line = each.getFirstLine(); line <= each.getLastLine(); line++) {
                int missed = each.getLine(line).getBranchCounter().getMissedCount();
                if (missed > 0) {
                    lines.append(' ')
                            .append(each.getName())
                            .append(':')
                            .append(line)
                            .append(" (")
                            .append(missed)
                            .append(')');
                }
            }
        }
        return lines.toString();
    }
}
