package io.onefold;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * 128 bits for each attempt that no other has: 64 that are random for each instance, mixed with the time so that a copy of a running
 * process does not repeat them, and 64 of a random sequence that does not repeat. Asking a secure source for each would cost more
 * than the rest of a replay.
 */
final class OwnerIds implements Supplier<UUID> {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final Timer timer;
    private final long instance;
    private final AtomicLong sequence;

    OwnerIds(Timer timer) {
        this.timer = timer;
        SecureRandom random = new SecureRandom();
        instance = random.nextLong();
        sequence = new AtomicLong(random.nextLong());
    }

    @Override
    public UUID get() {
        return new UUID(instance ^ mix(timer.nanos()), mix(sequence.addAndGet(GOLDEN)));
    }

    /** SplitMix64's finaliser: a bijection, so that distinct inputs stay distinct. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
