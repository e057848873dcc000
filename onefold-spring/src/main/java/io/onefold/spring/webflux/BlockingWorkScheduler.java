package io.onefold.spring.webflux;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Runs blocking work on threads that may block. Work that has begun runs to its end, even if no caller waits for it: no thread is
 * interrupted.
 */
final class BlockingWorkScheduler {
    private BlockingWorkScheduler() {}

    /** Runs the task. Fails with a RejectedExecutionException if there is too much to do. */
    static <T> Mono<T> call(Callable<T> task) {
        return Mono.defer(() -> {
            CompletableFuture<T> done = new CompletableFuture<>();
            run(() -> {
                try {
                    done.complete(task.call());
                } catch (Throwable e) {
                    done.completeExceptionally(e);
                }
            });
            return Mono.fromFuture(done, true);
        });
    }

    static void run(Runnable task) {
        Schedulers.boundedElastic().schedule(task);
    }
}
