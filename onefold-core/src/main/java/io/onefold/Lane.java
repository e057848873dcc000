package io.onefold;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Where the steps of one flight run, one after another: at home (the caller's thread, or the executor of asynchronous calls), and in
 * the background once the caller has its answer and is gone.
 */
final class Lane {
    private static final Duration RETRY = Duration.ofMillis(50);

    private final Timer timer;
    private final Executor home;
    private final Executor background;
    private final BooleanSupplier answered;
    private final Consumer<Throwable> failed;

    Lane(Timer timer, Executor home, Executor background, BooleanSupplier answered, Consumer<Throwable> failed) {
        this.timer = timer;
        this.home = home;
        this.background = background;
        this.answered = answered;
        this.failed = failed;
    }

    /** A step that a full executor turns away has failed: nothing has happened yet. */
    void next(Runnable step) {
        try {
            submit(step);
        } catch (RejectedExecutionException e) {
            failed.accept(e);
        }
    }

    /** A step that must not be lost: the work has begun. */
    void insist(Runnable step) {
        try {
            submit(step);
        } catch (RejectedExecutionException e) {
            timer.after(RETRY, () -> insist(step));
        }
    }

    private void submit(Runnable step) {
        (answered.getAsBoolean() ? background : home).execute(() -> guarded(step));
    }

    void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            failed.accept(e);
        }
    }

    /** 25 ms, doubling up to a second. */
    static Duration pause(int times) {
        return Duration.ofMillis(Math.min(1_000, 25L << Math.min(times - 1, 10)));
    }
}
