package io.onefold.spring.boot;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What listeners do in applications with a broker, and what came to them. */
final class Stockroom {
    private static final int PATIENCE_SECONDS = 40;

    private final List<String> delivered = new CopyOnWriteArrayList<>();
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final Onefold onefold;

    Stockroom(Onefold onefold) {
        this.onefold = onefold;
    }

    void comes(String payload) {
        delivered.add(payload);
    }

    /** Told by the container. What a broker has left would not do: RabbitMQ leaves out what is delivered and not acknowledged. */
    void acknowledged() {
        acknowledged.incrementAndGet();
    }

    int acknowledgements() {
        return acknowledged.get();
    }

    void run(String payload) {
        ran.add(payload);
        if (failing.remove(payload)) {
            throw new IllegalStateException("told to fail");
        }
    }

    void runBehindGate(String payload) throws InterruptedException {
        ran.add(payload);
        if (!gate.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the gate stayed closed");
        }
    }

    void failOnce(String payload) {
        failing.add(payload);
    }

    void openGate() {
        gate.countDown();
    }

    long deliveries(String payload) {
        return delivered.stream().filter(payload::equals).count();
    }

    long runs(String payload) {
        return ran.stream().filter(payload::equals).count();
    }

    boolean is(Status status, String operation, Key key) {
        Optional<StoredRecord> found = onefold.find(Operation.of(operation), key);
        return found.isPresent() && found.get().status() == status;
    }
}
