package io.onefold.simulator;

import io.onefold.Timer;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Virtual time, and everything that is to happen in it. Things that are due at the same time happen in a random order. Who waits in
 * the middle of a step ({@link #pass}) lets the others go on meanwhile, as a blocked thread does.
 */
final class VirtualWorld {
    private static final int MAX_NESTING = 4;

    final SplittableRandom random;
    private final PriorityQueue<VirtualTask> tasks = new PriorityQueue<>();
    private long now = 1;
    private int nesting;

    VirtualWorld(SplittableRandom random) {
        this.random = random;
    }

    long now() {
        return now;
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    Duration upTo(Duration most) {
        return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
    }

    VirtualTask after(SimulatedActor actor, Duration delay, Runnable step) {
        VirtualTask task = new VirtualTask(now + delay.toNanos(), random.nextLong(), actor, step);
        tasks.add(task);
        return task;
    }

    /** Lets time pass for everybody. */
    void pass(Duration duration) {
        if (nesting == MAX_NESTING) {
            return;
        }
        nesting++;
        long end = now + duration.toNanos();
        while (!tasks.isEmpty() && tasks.peek().at <= end) {
            run(tasks.remove());
        }
        now = Math.max(now, end);
        nesting--;
    }

    /** Returns the number of tasks that actors other than this one still have to do. */
    long pending(SimulatedActor except) {
        return tasks.stream()
                .filter(task -> !task.cancelled && task.actor != except && task.actor.alive)
                .count();
    }

    private void run(VirtualTask task) {
        now = Math.max(now, task.at);
        if (task.cancelled || !task.actor.alive) {
            return;
        }
        if (task.actor.pausedUntil > now) {
            tasks.add(new VirtualTask(task.actor.pausedUntil, random.nextLong(), task.actor, task.step));
            return;
        }
        try {
            task.step.run();
        } catch (ActorCrashedException e) {
            // the actor is gone, and its step with it
        }
    }

    /** Someone who acts: dead, it does nothing any more; paused, it does what is due later. */
    static class SimulatedActor {
        boolean alive = true;
        long pausedUntil;

        void crash() {
            alive = false;
        }
    }

    /** Thrown out of a step in whose middle the actor died. */
    static final class ActorCrashedException extends Error {
        private static final long serialVersionUID = 1;

        ActorCrashedException() {
            super("crashed", null, false, false);
        }
    }

    static final class VirtualTask implements Comparable<VirtualTask>, Timer.Cancellable {
        private final long at;
        private final long order;
        private final SimulatedActor actor;
        private final Runnable step;
        private boolean cancelled;

        VirtualTask(long at, long order, SimulatedActor actor, Runnable step) {
            this.at = at;
            this.order = order;
            this.actor = actor;
            this.step = step;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(VirtualTask other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    /** An actor's threads: what they are given starts a little later, and sometimes they are all taken. */
    Executor executor(SimulatedActor actor, FaultRates faults) {
        return step -> {
            if (faults.happens(faults.rejection)) {
                throw new RejectedExecutionException("all threads are taken");
            }
            after(actor, upTo(Duration.ofMillis(2)), step);
        };
    }

    Timer timer(SimulatedActor actor) {
        return new Timer() {
            @Override
            public long nanos() {
                return now;
            }

            @Override
            public Cancellable after(Duration delay, Runnable task) {
                return VirtualWorld.this.after(actor, delay, task);
            }
        };
    }
}
