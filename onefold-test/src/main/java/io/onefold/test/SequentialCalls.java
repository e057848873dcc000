package io.onefold.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Calls one after the other on the calling thread, all of them within one time. */
final class SequentialCalls {
    private final Thread caller = Thread.currentThread();
    private final CountDownLatch over = new CountDownLatch(1);
    private final long end;
    private final CallResultReader reading;
    private boolean rang;

    private SequentialCalls(Duration deadline, CallResultReader reading) {
        this.reading = reading;
        end = System.nanoTime() + deadline.toNanos();
    }

    static List<CallResult> call(List<Callable<CallResult>> calls, Duration deadline, CallResultReader reading) {
        SequentialCalls turns = new SequentialCalls(deadline, reading);
        Thread alarm = new Thread(turns::ring, "duplicates-alarm");
        alarm.setDaemon(true);
        alarm.start();
        try {
            List<CallResult> replies = new ArrayList<>();
            for (Callable<CallResult> call : calls) {
                replies.add(turns.call(call));
            }
            return replies;
        } finally {
            turns.end();
        }
    }

    /**
     * Makes a call. It is late if the time is over before it starts or when it ends: an interrupted call may throw
     * anything.
     */
    private CallResult call(Callable<CallResult> call) {
        CallResult reply = left() > 0 ? ConcurrentCalls.answer(call, reading) : CallResult.late();
        return left() > 0 ? reply : CallResult.late();
    }

    private long left() {
        return end - System.nanoTime();
    }

    private void ring() {
        try {
            if (!over.await(left(), TimeUnit.NANOSECONDS)) {
                interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void interrupt() {
        if (over.getCount() > 0) {
            rang = true;
            caller.interrupt();
        }
    }

    /** The test goes on uninterrupted. */
    private synchronized void end() {
        over.countDown();
        if (rang) {
            Thread.interrupted();
        }
    }
}
