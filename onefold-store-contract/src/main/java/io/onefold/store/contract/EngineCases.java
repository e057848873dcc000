package io.onefold.store.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.Work;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The base of an engine's cases: the engine on a store that can be made to fail, and owners that can be stopped during
 * their work.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(EngineCaller.CallStyle.class)
@Timeout(60)
abstract class EngineCases {
    /** Long enough for a slow store to answer within it, short enough to be waited for. */
    static final Duration LEASE = Duration.ofMillis(300);

    /** The engine tells the store of an end every second at least. */
    private static final Duration DRAIN = Duration.ofSeconds(4);

    private static final int CALLS = 5;

    @Parameter
    EngineCaller.CallStyle way = EngineCaller.CallStyle.BLOCKING;

    final String name = "engine-" + UUID.randomUUID();
    final AtomicInteger runs = new AtomicInteger();

    private final StoreContract contract;
    private final List<EngineCaller> doors = new ArrayList<>();
    private final List<FaultyStore> stores = new ArrayList<>();
    private final List<RunningCall> running = new ArrayList<>();
    private @Nullable FaultyStore main;
    private @Nullable EngineCaller mainDoor;

    EngineCases(StoreContract contract) {
        this.contract = contract;
    }

    @BeforeEach
    final void openEngine() {
        main = faultyStore();
        mainDoor = engine(main, builder -> builder);
    }

    /** No case may leave a claim of a call that has ended, or somebody who still waits. */
    @AfterEach
    final void nothing_is_left_behind() {
        try {
            stores.forEach(FaultyStore::heal);
            running.forEach(call -> call.mayEnd.countDown());
            within(
                    DRAIN,
                    "no claim is left of a call that has ended",
                    () -> store().list(RecordFilter.of(Status.PROCESSING).operation(name), null, 1)
                            .records()
                            .isEmpty());
            within(DRAIN, "nobody waits", () -> stores.stream().allMatch(store -> store.subscriptions() == 0));
        } finally {
            doors.forEach(EngineCaller::close);
        }
    }

    final StoreFixture fixture() {
        return contract.fixture();
    }

    final FaultyStore faultyStore() {
        FaultyStore store = new FaultyStore(fixture().store());
        stores.add(store);
        return store;
    }

    final EngineCaller engine(FaultyStore store, UnaryOperator<Onefold.Builder> choices) {
        EngineCaller door = contract.engine(way, store, choices.apply(Onefold.builder(store)));
        doors.add(door);
        return door;
    }

    final EngineCaller engine() {
        return Objects.requireNonNull(mainDoor);
    }

    final FaultyStore store() {
        return Objects.requireNonNull(main);
    }

    final Operation<String> operation() {
        return Operation.of(name, String.class).lease(Duration.ofSeconds(30));
    }

    final Key key() {
        return Key.of("key-" + UUID.randomUUID());
    }

    /** Counts its runs and returns the value. */
    final <T> Work<T, RuntimeException> returning(T value) {
        return attempt -> {
            runs.incrementAndGet();
            return value;
        };
    }

    final Work<String, RuntimeException> never() {
        return attempt -> {
            throw new AssertionError("the work ran again");
        };
    }

    final Outcome<String> attempt(Operation<String> operation, Key key) throws Exception {
        return engine().attempt(operation, key, returning("done"));
    }

    final @Nullable StoredRecord record(String key) {
        RecordSnapshot seen = fixture().store().find(RecordId.of("", name, key));
        return seen == null ? null : seen.record();
    }

    final Status status(String key) {
        return Objects.requireNonNull(record(key), "no record of " + key).status();
    }

    static void replays(Outcome<?> outcome, @Nullable Object value) {
        assertThat(outcome).isEqualTo(new Outcome.Replayed<>(value, true));
    }

    static void executed(Outcome<?> outcome, @Nullable Object value) {
        assertThat(outcome).isEqualTo(new Outcome.Executed<>(value, true));
    }

    static void eventually(String what, BooleanSupplier condition) {
        within(Duration.ofSeconds(10), what, condition);
    }

    private static void within(Duration time, String what, BooleanSupplier condition) {
        long until = System.nanoTime() + time.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(until);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /**
     * Runs the call elsewhere and returns once its work has begun. A slow store may answer a claim when its short lease is over already;
     * then the work does not begin, the claim does not count, and the call is made again.
     */
    final RunningCall begin(EngineCaller engine, Operation<String> operation, Key key) {
        for (int call = 1; ; call++) {
            RunningCall running = new RunningCall(engine, operation, key);
            if (running.begins()) {
                return running;
            }
            assertThat(Duration.ofNanos(System.nanoTime() - running.calledAt()))
                    .as("time in which the work has not begun, though the lease was not over")
                    .isGreaterThanOrEqualTo(LEASE);
            assertThat(call).as("calls whose work has not begun").isLessThan(CALLS);
        }
    }

    final RunningCall begin(Operation<String> operation, Key key) {
        return begin(engine(), operation, key);
    }

    /** A call that waits for whatever is under way. */
    final RunningCall waiting(Operation<String> operation, Key key) {
        return new RunningCall(engine(), operation, key);
    }

    /** A call on a thread of its own, whose work stops half-way until it may end. */
    final class RunningCall {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final FutureTask<Outcome<String>> call;
        private final long calledAt = System.nanoTime();
        private volatile @Nullable Attempt attempt;
        private volatile @Nullable Exception thrown;

        RunningCall(EngineCaller engine, Operation<String> operation, Key key) {
            call = new FutureTask<>(() -> engine.attempt(operation, key, own -> {
                runs.incrementAndGet();
                attempt = own;
                begun.countDown();
                mayEnd.await();
                Exception end = thrown;
                if (end != null) {
                    throw end;
                }
                return "from attempt " + own.number();
            }));
            running.add(this);
            Thread thread = new Thread(call, "running");
            thread.setDaemon(true);
            thread.start();
        }

        /** Returns true if its work has begun; waits until that is certain. */
        private boolean begins() {
            eventually("the work has begun, or never will", () -> begun.getCount() == 0 || call.isDone());
            return begun.getCount() == 0;
        }

        /** By the monotonic clock, in nanoseconds. */
        long calledAt() {
            return calledAt;
        }

        Attempt attempt() {
            return Objects.requireNonNull(attempt);
        }

        boolean answered() {
            return call.isDone();
        }

        Outcome<String> end() throws Exception {
            mayEnd.countDown();
            return answer();
        }

        /** Its work throws. */
        Outcome<String> end(Exception by) throws Exception {
            thrown = by;
            return end();
        }

        Outcome<String> answer() throws Exception {
            try {
                return call.get(20, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            } catch (TimeoutException e) {
                throw new AssertionError("the call was not answered", e);
            }
        }
    }
}
