package io.onefold.http.contract;

import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A store in the heap whose clock can be moved on. */
final class MovableMemoryStore extends ForwardingStore implements CaseStore {
    private final AtomicLong ahead;

    MovableMemoryStore() {
        this(new AtomicLong());
    }

    private MovableMemoryStore(AtomicLong ahead) {
        super(new MemoryStore(() -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + ahead.get()));
        this.ahead = ahead;
    }

    @Override
    public void pass(Duration time) {
        ahead.addAndGet(time.toNanos() / 1_000);
    }
}
