package io.onefold;

import java.util.concurrent.Executor;

/** Steps that come up while the caller is in its call run on its thread, all others elsewhere. */
final class CallerRunsExecutor implements Executor {
    private final Thread caller = Thread.currentThread();
    private final Executor elsewhere;
    private boolean left;

    CallerRunsExecutor(Executor elsewhere) {
        this.elsewhere = elsewhere;
    }

    @Override
    public void execute(Runnable step) {
        // only the caller's own thread reads or writes whether it has left
        if (Thread.currentThread() == caller && !left) {
            step.run();
        } else {
            elsewhere.execute(step);
        }
    }

    void leave() {
        left = true;
    }
}
