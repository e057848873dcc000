package io.onefold.store;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps callers away from a front that cannot be reached. The first failure shuts it. After a pause one caller probes, and only its success opens
 * the way again: if all were to try at once, a front that hangs would make everybody wait for its timeout, time after time. Each probe
 * that fails doubles the pause.
 */
final class CircuitBreaker {
    private static final Logger LOG = LoggerFactory.getLogger(CircuitBreaker.class);
    static final Duration SHUT = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofSeconds(30);

    private final LongSupplier nanos;
    private final LongAdder shuts = new LongAdder();
    private final LongAdder past = new LongAdder();
    private volatile BreakerState state = BreakerState.open();

    CircuitBreaker(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The front's answer; null if it has none, fails, or is passed by. */
    <A> @Nullable A call(Supplier<? extends @Nullable A> front) {
        BreakerState met = state;
        BreakerState entered = met.isOpen() ? met : probing(met);
        if (entered == null) {
            pass();
            return null;
        }
        A answer = null;
        try {
            answer = front.get();
        } catch (RuntimeException e) {
            if (outOfReach(e)) {
                failed(entered, e);
                return null;
            }
            LOG.debug("the front door cannot answer for one record; the truth is asked", e);
        }
        if (!entered.isOpen() && move(entered, BreakerState.open())) {
            LOG.info("the front door answers again");
        }
        return answer;
    }

    /**
     * Returns true if the failure means that the store cannot be reached. A failure that concerns one record does not
     * shut the cache tier: otherwise a client that sends that key again and again would shut it for all.
     */
    private static boolean outOfReach(RuntimeException e) {
        return e instanceof StoreException && !(e instanceof UnreadableRecordException);
    }

    /** Counts a call that goes past the front. */
    void pass() {
        past.increment();
    }

    /** One caller's leave to try. If nothing is heard of it for long, another one gets it. */
    private @Nullable BreakerState probing(BreakerState shut) {
        long now = nanos.getAsLong();
        if (now - shut.until < 0) {
            return null;
        }
        BreakerState probing = new BreakerState(now + LONGEST.toNanos(), shut.pause);
        return move(shut, probing) ? probing : null;
    }

    private void failed(BreakerState entered, RuntimeException e) {
        Duration twice = entered.pause.multipliedBy(2);
        Duration pause = entered.isOpen() ? SHUT : twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        if (!move(entered, new BreakerState(nanos.getAsLong() + pause.toNanos(), pause))) {
            return;
        }
        if (entered.isOpen()) {
            shuts.increment();
            LOG.warn("the front door fails; the truth alone is asked until it answers again", e);
        } else {
            LOG.debug("the front door still fails; it is tried again in {}", pause, e);
        }
    }

    private synchronized boolean move(BreakerState from, BreakerState to) {
        boolean still = state == from;
        state = still ? to : state;
        return still;
    }

    boolean isOpen() {
        return state.isOpen();
    }

    /** The number of times that it was shut after it had been open. */
    long shuts() {
        return shuts.sum();
    }

    /** The number of calls that went past the front. */
    long past() {
        return past.sum();
    }

    /** Not a record: who entered in an earlier state, even if it was the same, brings old news. */
    private static final class BreakerState {
        final long until;
        final Duration pause;

        BreakerState(long until, Duration pause) {
            this.until = until;
            this.pause = pause;
        }

        static BreakerState open() {
            return new BreakerState(0, Duration.ZERO);
        }

        boolean isOpen() {
            return pause.isZero();
        }
    }
}
