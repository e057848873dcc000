package io.onefold;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs the steps of one call, one after another. They run on the caller's thread or on the executor of asynchronous
 * calls, and in the background once the caller has its answer and is gone.
 */
final class StepExecutor {
    private static final Duration RETRY = Duration.ofMillis(50);

    private final OperationCall<?> flight;
    private final Executor home;

    StepExecutor(OperationCall<?> flight, Executor home) {
        this.flight = flight;
        this.home = home;
    }

    /** A step that a full executor turns away has failed: nothing has happened yet. */
    void next(Runnable step) {
        try {
            submit(step);
        } catch (RejectedExecutionException e) {
            flight.fail(e);
        }
    }

    /** A step that must not be lost: the work has begun. */
    void insist(Runnable step) {
        try {
            submit(step);
        } catch (RejectedExecutionException e) {
            flight.engine.timer().after(RETRY, () -> insist(step));
        }
    }

    private void submit(Runnable step) {
        (flight.answer.isDone() ? flight.engine.executor() : home).execute(() -> guarded(step));
    }

    void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            flight.fail(e);
        }
    }

    /** 25 ms, doubling up to a second. */
    static Duration pause(int times) {
        return Duration.ofMillis(Math.min(1_000, 25L << Math.min(times - 1, 10)));
    }
}
