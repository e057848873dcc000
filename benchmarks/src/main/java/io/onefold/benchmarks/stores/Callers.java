package io.onefold.benchmarks.stores;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLongArray;

/** Threads that ask without a pause, each for the next as soon as it has its answer. */
final class Callers implements AutoCloseable {
    private static final int STRIDE = 16;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread daemon = new Thread(task, "caller");
        daemon.setDaemon(true);
        return daemon;
    });

    private volatile boolean stopped;

    /** What was completed inside the window; callers ran before it and after it too, so that it saw neither start nor end. */
    record Count(long operations, long nanos, long inAll) {}

    Count run(Traffic traffic, int asked, Duration ramp, Duration window) throws InterruptedException {
        int callers = traffic.callers(asked);
        AtomicLongArray done = new AtomicLongArray(callers * STRIDE);
        CountDownLatch ready = new CountDownLatch(callers);
        stopped = false;
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int place = i * STRIDE;
            Traffic.Caller caller = traffic.caller(asked);
            running.add(threads.submit(() -> {
                ready.countDown();
                ready.await();
                while (!stopped) {
                    done.setRelease(place, done.getPlain(place) + caller.step());
                }
                return null;
            }));
        }
        long operations;
        long nanos;
        try {
            ready.await();
            TimeUnit.NANOSECONDS.sleep(ramp.toNanos());
            long from = System.nanoTime();
            long before = sum(done);
            TimeUnit.NANOSECONDS.sleep(window.toNanos());
            nanos = System.nanoTime() - from;
            operations = sum(done) - before;
        } finally {
            stopped = true;
            for (Future<?> caller : running) {
                await(caller);
            }
        }
        return new Count(operations, nanos, sum(done));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private static long sum(AtomicLongArray done) {
        long sum = 0;
        for (int i = 0; i < done.length(); i += STRIDE) {
            sum += done.getAcquire(i);
        }
        return sum;
    }

    private static void await(Future<?> caller) throws InterruptedException {
        try {
            caller.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a caller failed", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("a caller had no answer for " + PATIENCE, e);
        }
    }
}
