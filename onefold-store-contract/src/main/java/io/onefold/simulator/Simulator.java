package io.onefold.simulator;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/** Runs schedules, one for each seed, until one fails or all have held. */
public final class Simulator {
    private Simulator() {}

    /** A schedule that failed; {@link #replay} shows it again. */
    public record Failure(long seed, RuntimeException cause) {
        @Override
        public String toString() {
            return "schedule " + seed + ": " + cause.getMessage();
        }
    }

    /** Replays one schedule. */
    public static Optional<Failure> replay(long seed, Setup setup) {
        try {
            new Simulation(seed, setup).run();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(new Failure(seed, e));
        }
    }

    /** Runs as many schedules as asked for, from the first seed on, on all processors; the failure with the lowest seed found. */
    public static Optional<Failure> run(long firstSeed, long schedules, Setup setup) {
        AtomicLong next = new AtomicLong(firstSeed);
        AtomicBoolean failed = new AtomicBoolean();
        AtomicReference<Failure> first = new AtomicReference<>();
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
        Optional<Failure> failure = run(seed, schedules, Setup.REAL);
        if (failure.isPresent()) {
            failure.get().cause.printStackTrace();
            System.err.println(failure.get());
            System.exit(1);
        }
        System.out.println(schedules + " schedules from seed " + seed + " held");
    }
}
