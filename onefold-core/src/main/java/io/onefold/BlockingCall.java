package io.onefold;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A flight on its caller's thread: every step runs there, and while there is none the caller sleeps. */
final class BlockingCall<T> extends OperationCall<T> {
    private final Work<T, ?> work;
    private final StepMailbox mailbox;

    BlockingCall(EngineContext engine, Operation<T> operation, Key key, Work<T, ?> work) {
        this(engine, operation, key, work, new StepMailbox());
    }

    private BlockingCall(EngineContext engine, Operation<T> operation, Key key, Work<T, ?> work, StepMailbox mailbox) {
        super(engine, operation, key, mailbox);
        this.work = work;
        this.mailbox = mailbox;
    }

    /** Runs the flight to its answer; an interrupt ends waiting for others, but never the recording of what was done. */
    void fly() {
        boolean interrupted = false;
        begin(began);
        while (!answer.isDone()) {
            try {
                mailbox.take().run();
            } catch (InterruptedException e) {
                interrupted = true;
                hurry();
            }
        }
        if (interrupted || mailbox.interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    void work(Attempt attempt, WorkExecution<T> execution) {
        T value = null;
        Throwable thrown = null;
        try {
            value = work.run(attempt);
        } catch (Throwable e) {
            thrown = e;
        }
        // a driver may refuse to talk on a thread that is interrupted
        mailbox.interrupted = Thread.interrupted();
        if (thrown == null) {
            execution.finished(value);
        } else {
            execution.threw(thrown);
        }
    }

    /** The caller's next step. A flight never has two: each step names the one that follows it. */
    private static final class StepMailbox implements Executor {
        boolean interrupted;
        private @Nullable Runnable step;

        @Override
        public synchronized void execute(Runnable next) {
            step = next;
            notifyAll();
        }

        synchronized Runnable take() throws InterruptedException {
            while (step == null) {
                wait();
            }
            Runnable next = step;
            step = null;
            return next;
        }
    }
}
