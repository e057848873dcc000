package io.onefold.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls that begin at the same moment. */
final class ConcurrentCalls {
    private ConcurrentCalls() {}

    static List<CallResult> call(List<Callable<CallResult>> calls, Duration deadline, CallResultReader reading) {
        CountDownLatch ready = new CountDownLatch(calls.size());
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        List<CompletableFuture<CallResult>> replies = new ArrayList<>();
        for (Callable<CallResult> call : calls) {
            CompletableFuture<CallResult> reply = new CompletableFuture<>();
            Thread thread = new Thread(
                    () -> {
                        ready.countDown();
                        reply.complete(answer(
                                () -> {
                                    go.await();
                                    return call.call();
                                },
                                reading));
                    },
                    "duplicate-" + (threads.size() + 1));
            thread.setDaemon(true);
            threads.add(thread);
            replies.add(reply);
            thread.start();
        }
        try {
            ready.await();
            go.countDown();
            long end = System.nanoTime() + deadline.toNanos();
            List<CallResult> all = new ArrayList<>();
            for (CompletableFuture<CallResult> reply : replies) {
                all.add(within(reply, end - System.nanoTime()));
            }
            return all;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while duplicates were under way", e);
        } finally {
            // those who have answered are gone; the others need not go on
            threads.forEach(Thread::interrupt);
        }
    }

    private static CallResult within(CompletableFuture<CallResult> reply, long nanos) throws InterruptedException {
        try {
            return reply.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return CallResult.late();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    static CallResult answer(Callable<CallResult> call, CallResultReader reading) {
        try {
            return call.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CallResult.threw(e);
        } catch (Throwable e) {
            return reading.ofThrown(e);
        }
    }
}
