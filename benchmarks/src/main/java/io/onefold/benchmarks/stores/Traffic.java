package io.onefold.benchmarks.stores;

import static io.onefold.benchmarks.stores.Traits.Feature.RESULT;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** What the callers of one slice ask for, and whether each was answered right. */
final class Traffic {
    private static final int ANSWERS_PER_HOT_KEY = 1_000;
    private static final long BUSY_PAUSE_NANOS = 1_000_000;

    private final Workload workload;
    private final Subject subject;
    private final Known known;
    private final Business business;
    private final SplittableRandom seeds;
    private final LongAdder newKeys = new LongAdder();
    private final AtomicLong hotAnswers = new AtomicLong();
    private final Map<String, String> hot = new ConcurrentHashMap<>();
    private final String hotPrefix;

    Traffic(Workload workload, Subject subject, Known known, Business business, long seed) {
        this.workload = workload;
        this.subject = subject;
        this.known = known;
        this.business = business;
        this.seeds = new SplittableRandom(seed);
        this.hotPrefix = key(seeds).substring(0, 24);
    }

    /** One step of a caller after the other. */
    interface Caller {
        /** How many operations the step was. */
        int step() throws Exception;
    }

    /** How many callers there are when this many are asked for, and how many keys each takes at once. */
    int callers(int asked) {
        return subject instanceof Subject.Batching ? Subject.Batching.LANES : asked;
    }

    Caller caller(int asked) {
        SplittableRandom random = seeds.split();
        if (subject instanceof Subject.Batching batching) {
            int size = Math.min(128, Math.max(64, asked));
            return () -> batch(batching, size, random);
        }
        return switch (workload) {
            case FIRST, JOINED -> () -> first(random);
            case REPLAY -> () -> replay(random);
            case MIX -> () -> random.nextInt(10) == 0 ? replay(random) : first(random);
            case HOT -> this::hot;
        };
    }

    /** After the slice: as many executions as there were keys that nobody had done. */
    void check() {
        if (business.executions() != keys()) {
            throw wrong("ran " + business.executions() + " times for " + keys() + " keys");
        }
    }

    long keys() {
        return newKeys.sum() + hot.size();
    }

    private int batch(Subject.Batching batching, int size, SplittableRandom random) throws Exception {
        List<String> keys = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            keys.add(key(random));
        }
        newKeys.add(size);
        batching.callAll(keys, business);
        return size;
    }

    private int first(SplittableRandom random) throws Exception {
        String key = key(random);
        newKeys.increment();
        String answer = subject.call(key, business);
        if (!business.result(key).equals(answer)) {
            throw wrong("answered " + answer + " for the new key " + key);
        }
        return 1;
    }

    private int replay(SplittableRandom random) throws Exception {
        Known.Done done = known.done().get(random.nextInt(known.done().size()));
        String answer = subject.call(done.key(), business);
        String expected = subject.traits().has(RESULT) ? done.answer() : null;
        if (!Objects.equals(answer, expected)) {
            throw wrong("replayed " + answer + " instead of " + expected);
        }
        return 1;
    }

    /** Who is told that somebody is at it asks again. */
    private int hot() throws Exception {
        String key = hotPrefix + hotAnswers.getAndIncrement() / ANSWERS_PER_HOT_KEY;
        String answer = subject.call(key, business);
        while (answer == null) {
            LockSupport.parkNanos(BUSY_PAUSE_NANOS);
            answer = subject.call(key, business);
        }
        String earlier = hot.putIfAbsent(key, answer);
        if (earlier != null && !earlier.equals(answer)) {
            throw wrong("answered " + earlier + " and then " + answer);
        }
        return 1;
    }

    /** Random, as the keys that clients make: no index profits from their order. */
    static String key(SplittableRandom random) {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private IllegalStateException wrong(String what) {
        return new IllegalStateException(subject.name() + ", " + workload.id() + ": " + what);
    }
}
