package io.onefold.benchmarks.stores;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Keys that a subject has done, with its answers to whoever was first. */
record Known(List<Done> done) {
    static final Known NOTHING = new Known(List.of());

    private static final int THREADS = 64;

    record Done(String key, String answer) {}

    /** Has a subject do some keys, outside of all measuring. */
    static Known by(Subject subject, int keys, long seed) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        Business business = new Business("before");
        List<Callable<Done>> tasks = new ArrayList<>(keys);
        for (int i = 0; i < keys; i++) {
            String key = Traffic.key(random);
            tasks.add(() -> {
                String answer = subject.call(key, business);
                if (answer == null) {
                    throw new IllegalStateException(subject.name() + " gave no answer for a new key");
                }
                return new Done(key, answer);
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Done> done = new ArrayList<>(keys);
            for (Future<Done> one : threads.invokeAll(tasks)) {
                done.add(one.get());
            }
            return new Known(done);
        } catch (ExecutionException e) {
            throw new IllegalStateException(subject.name() + " could not be prepared", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
