package io.onefold;

import io.onefold.store.RecordId;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** No more waiters than there are places, and no wake-up is lost between two sleeps. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class WaitersLincheckTest {
    private static final RecordId[] IDS = {RecordId.of("", "op", "a"), RecordId.of("", "op", "b")};

    private final Waiters waiters = new Waiters(2, 3, null);
    private final Queue<Waiters.Waiter> entered = new ConcurrentLinkedQueue<>();
    private final Waiters.Waiter one = Objects.requireNonNull(new Waiters(1, 1, null).enter(IDS[0]));

    @Operation
    public boolean enter(@Param(name = "key") int key) {
        Waiters.Waiter waiter = waiters.enter(IDS[key]);
        return waiter != null && entered.add(waiter);
    }

    @Operation
    public void leave() {
        Waiters.Waiter waiter = entered.poll();
        if (waiter != null) {
            waiter.leave();
        }
    }

    /** Whether the continuation ran at once, for a wake-up that came before. */
    @Operation
    public boolean sleep() {
        Thread sleeper = Thread.currentThread();
        boolean[] ran = new boolean[1];
        one.sleep(() -> ran[0] |= Thread.currentThread() == sleeper);
        return ran[0];
    }

    @Operation
    public void wake() {
        one.wake();
    }

    @Test
    void are_linearizable_in_the_model() {
        new ModelCheckingOptions()
                .iterations(4)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .check(getClass());
    }
}
