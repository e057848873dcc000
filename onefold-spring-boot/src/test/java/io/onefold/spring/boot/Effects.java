package io.onefold.spring.boot;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What methods have done, by name, and what they wait for. */
final class Effects {
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> latches = new ConcurrentHashMap<>();

    int of(String name) {
        return effects.computeIfAbsent(name, same -> new AtomicInteger()).get();
    }

    int add(String name) {
        return effects.computeIfAbsent(name, same -> new AtomicInteger()).incrementAndGet();
    }

    /** Has an effect, and fails afterwards. */
    IllegalStateException failure(String name) {
        return new IllegalStateException("failed at " + add(name));
    }

    void goOn(String name) {
        latch(name).countDown();
    }

    /** Whether somebody waits, or has waited, to go on. */
    boolean isAwaited(String name) {
        return latches.containsKey(name);
    }

    void stop(String name) {
        latches.remove(name);
    }

    private CountDownLatch latch(String name) {
        return latches.computeIfAbsent(name, same -> new CountDownLatch(1));
    }

    void await(String name) {
        try {
            latch(name).await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    CompletableFuture<String> await(String name, String value) {
        return CompletableFuture.supplyAsync(
                () -> {
                    await(name);
                    return value;
                },
                task -> new Thread(task).start());
    }

    /** Has its effect once it may go on. */
    CompletableFuture<String> later(String name) {
        return CompletableFuture.supplyAsync(
                () -> {
                    await(name);
                    return "done at " + add(name);
                },
                task -> new Thread(task).start());
    }
}
