package io.onefold.simulator;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Runs schedules, one for each seed, until one fails or all have held. */
public final class Simulator {
    private Simulator() {}

    /** A schedule that failed; {@link #replay} shows it again. */
    public record FailedSchedule(long seed, List<? extends Throwable> causes) {
        @Override
        public String toString() {
            return "schedule " + seed + ": " + causes.get(0).getMessage();
        }
    }

    /** Replays one schedule. */
    public static Optional<FailedSchedule> replay(long seed, SimulationSetup setup) {
        List<? extends Throwable> causes;
        try {
            causes = new Simulation(seed, setup).run();
        } catch (Throwable e) {
            causes = List.of(e);
        }
        return causes.isEmpty() ? Optional.empty() : Optional.of(new FailedSchedule(seed, causes));
    }

    /** Runs as many schedules as asked for, from the first seed on, on all processors; the failure with the lowest seed found. */
    public static Optional<FailedSchedule> run(long firstSeed, long schedules, SimulationSetup setup) {
        AtomicLong next = new AtomicLong(firstSeed);
        AtomicBoolean failed = new AtomicBoolean();
        AtomicReference<FailedSchedule> first = new AtomicReference<>();
        IntStream.range(0, Runtime.getRuntime().availableProcessors())
                .parallel()
                .forEach(worker -> {
                    for (long seed = next.getAndIncrement();
                            seed < firstSeed + schedules && !failed.get();
                            seed = next.getAndIncrement()) {
                        replay(seed, setup).ifPresent(failure -> {
                            failed.set(true);
                            first.accumulateAndGet(failure, (a, b) -> a == null || b.seed < a.seed ? b : a);
                        });
                    }
                });
        return Optional.ofNullable(first.get());
    }

    /** {@code <first seed> <schedules>}: more than the everyday build runs, or the one that failed. */
    public static void main(String[] arguments) {
        long seed = arguments.length > 0 ? Long.parseLong(arguments[0]) : 1;
        long schedules = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
        Optional<FailedSchedule> failure = run(seed, schedules, SimulationSetup.REAL);
        if (failure.isPresent()) {
            failure.get().causes.forEach(Throwable::printStackTrace);
            System.err.println(failure.get());
            System.exit(1);
        }
        System.out.println(schedules + " schedules from seed " + seed + " held");
    }
}
