package io.onefold.spring.client;

import io.onefold.spring.CurrentAttempt;
import org.springframework.core.task.TaskDecorator;

/**
 * For {@code @Async} and other executors: a task has the attempt of the thread that hands it over, for keys of its own calls. While the
 * attempt waits for it, the task is part of it; later, a call with the same key is a duplicate like any other.
 */
public final class AttemptTaskDecorator implements TaskDecorator {
    @Override
    public Runnable decorate(Runnable task) {
        return CurrentAttempt.carriedBy(task);
    }
}
