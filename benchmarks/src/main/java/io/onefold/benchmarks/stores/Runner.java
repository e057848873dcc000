package io.onefold.benchmarks.stores;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures subjects in turn. All of a group's are measured within one round, in an order that changes with the round, so that what
 * else goes on meets all of them alike. Every slice is handed on, none is repeated or left out.
 */
public final class Runner implements AutoCloseable {
    private static final int WARMING = 5;

    private final Plan plan;
    private final Results results;
    private final Consumer<Slice> log;
    private final Callers callers = new Callers();
    private final Map<Subject, Known> known = new WeakHashMap<>(); // who was closed will not be asked again
    private final SplittableRandom seeds = new SplittableRandom();
    private int slices;

    Runner(Plan plan, Results results, Consumer<Slice> log) {
        this.plan = plan;
        this.results = results;
        this.log = log;
    }

    void measure(Group group, Workload workload, List<? extends Subject> subjects) throws InterruptedException {
        measure(group, workload, subjects, null);
    }

    /**
     * Measures a group.
     *
     * @param effects counts what the business did to the database; in each slice as much as there were new keys; null if it does nothing to it
     */
    void measure(Group group, Workload workload, List<? extends Subject> subjects, @Nullable LongSupplier effects)
            throws InterruptedException {
        subjects.forEach(subject -> results.expect(subject.traits()));
        for (int round = 0; round <= plan.rounds(); round++) {
            for (Subject subject : turn(subjects, round)) {
                Slice slice = slice(group, workload, subject, round, plan.window(), effects);
                log.accept(slice);
                if (round > 0) {
                    results.add(slice);
                }
            }
        }
    }

    /**
     * Each as if it were measured, with few callers and with many. In between, the compiler has the processors for itself: callers
     * who keep all of them busy would keep it from its work for long.
     */
    void warmUp(String database, Workload workload, List<? extends Subject> subjects) throws InterruptedException {
        for (int callers : List.of(8, 64)) {
            Group group = new Group(database, "warm-up-" + workload.id(), callers);
            for (int time = 0; time < WARMING; time++) {
                for (Subject subject : subjects) {
                    log.accept(slice(group, workload, subject, 0, plan.warm(), null));
                    Compiler.settle();
                }
            }
        }
    }

    @Override
    public void close() {
        callers.close();
    }

    private Slice slice(
            Group group, Workload workload, Subject subject, int round, Duration window, @Nullable LongSupplier effects)
            throws InterruptedException {
        Business business = new Business(Integer.toString(slices++));
        Traffic traffic = new Traffic(workload, subject, known(workload, subject), business, seeds.nextLong());
        long effectsBefore = effects == null ? 0 : effects.getAsLong();
        Cpu before = Cpu.read();
        Callers.Count count = callers.run(traffic, group.callers(), plan.ramp(), window);
        Cpu after = Cpu.read();
        traffic.check();
        if (effects != null) {
            long happened = effects.getAsLong() - effectsBefore;
            if (happened != traffic.keys()) {
                throw new IllegalStateException(
                        "%s, %s: %,d effects for %,d keys".formatted(subject.name(), group, happened, traffic.keys()));
            }
        }
        return new Slice(
                group,
                subject.name(),
                round,
                count.nanos() / 1e9,
                count.operations(),
                business.executions(),
                traffic.keys(),
                after.oursSince(before) / count.inAll(),
                after.foreignSince(before));
    }

    private Known known(Workload workload, Subject subject) throws InterruptedException {
        if (workload != Workload.REPLAY && workload != Workload.MIX) {
            return Known.NOTHING;
        }
        Known earlier = known.get(subject);
        if (earlier == null) {
            earlier = Known.by(subject, plan.sizes().known(), seeds.nextLong());
            known.put(subject, earlier);
        }
        return earlier;
    }

    /** Forwards and then backwards, so that in two rounds all have waited as long as the others; then from the next on. */
    public static <T> List<T> turn(List<? extends T> subjects, int round) {
        List<T> turn = new ArrayList<>(subjects);
        Collections.rotate(turn, -round / 2);
        if (round % 2 == 1) {
            Collections.reverse(turn);
        }
        return turn;
    }
}
