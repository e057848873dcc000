package io.onefold.store.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Tasks that begin together, each on a thread of its own. */
final class ConcurrentTasks {
    private ConcurrentTasks() {}

    /** Returns the results in order; throws the exception of a task. */
    static <T> List<T> run(List<Callable<T>> tasks) {
        CountDownLatch ready = new CountDownLatch(tasks.size());
        List<FutureTask<T>> running = new ArrayList<>();
        for (Callable<T> task : tasks) {
            FutureTask<T> future = new FutureTask<>(() -> {
                ready.countDown();
                ready.await();
                return task.call();
            });
            running.add(future);
            Thread thread = new Thread(future, "race");
            thread.setDaemon(true);
            thread.start();
        }
        List<T> answers = new ArrayList<>();
        for (FutureTask<T> future : running) {
            try {
                answers.add(future.get());
            } catch (ExecutionException e) {
                throw new AssertionError("a task failed: " + e.getCause(), e.getCause());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return answers;
    }
}
