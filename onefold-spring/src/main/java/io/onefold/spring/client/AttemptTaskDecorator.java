package io.onefold.spring.client;

import io.onefold.Attempt;
import io.onefold.spring.CurrentAttempt;
import org.springframework.core.task.TaskDecorator;

/** For {@code @Async} and other executors: a task has the attempt of the thread that hands it over. */
public final class AttemptTaskDecorator implements TaskDecorator {
    @Override
    public Runnable decorate(Runnable task) {
        Attempt attempt = CurrentAttempt.get();
        return attempt == null ? task : () -> run(attempt, task);
    }

    private static void run(Attempt attempt, Runnable task) {
        try {
            CurrentAttempt.with(attempt, () -> {
                task.run();
                return true;
            });
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a task throws nothing that is checked", e);
        }
    }
}
