package io.onefold.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;

/** Calls that begin together, each on a thread of its own. */
final class Together {
    private Together() {}

    static <T> List<T> call(int threads, IntFunction<T> calls) {
        CountDownLatch ready = new CountDownLatch(threads);
        List<CompletableFuture<T>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            running.add(CompletableFuture.supplyAsync(
                    () -> {
                        ready.countDown();
                        await(ready);
                        return calls.apply(number);
                    },
                    task -> new Thread(task, "together").start()));
        }
        return running.stream().map(CompletableFuture::join).toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
