package io.onefold.simulator;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordLockTimeoutException;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSignals;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The store as one node sees it: requests and responses get lost or are slow, and the node may die in the middle. */
final class FlakyStore implements Store, RecordSignals {
    private static final Duration SLOW = Duration.ofSeconds(8);

    private final Store truth;
    private final VirtualWorld world;
    private final VirtualWorld.SimulatedActor node;
    private final FaultRates faults;
    private final SignalBoard board;
    private final boolean signalling;
    private long cutOffUntil;

    FlakyStore(
            Store truth, VirtualWorld world, VirtualWorld.SimulatedActor node, FaultRates faults, SignalBoard board) {
        this.signalling = world.chance(80);
        this.truth = truth;
        this.world = world;
        this.node = node;
        this.faults = faults;
        this.board = board;
    }

    private <A> A call(Supplier<A> step) {
        crossing();
        if (isCutOff()) {
            throw new StoreException("the store cannot be reached");
        }
        if (faults.happens(faults.lostRequest)) {
            throw world.chance(50)
                    ? new StoreException("the request was lost")
                    : new RecordLockTimeoutException("a lock was waited for in vain", null);
        }
        A answer = step.get();
        crossing();
        if (faults.happens(faults.lostAnswer)) {
            throw new StoreException("the answer was lost");
        }
        return answer;
    }

    /** For a while, nothing of this node reaches the store. */
    private boolean isCutOff() {
        if (faults.happens(faults.outage)) {
            cutOffUntil = world.now() + world.upTo(SLOW.multipliedBy(2)).toNanos();
        }
        return !faults.healed() && world.now() < cutOffUntil;
    }

    /** On the way to the store, and on the way back. */
    private void crossing() {
        if (faults.happens(faults.crash)) {
            node.crash();
        } else if (faults.happens(faults.slowness)) {
            world.pass(world.upTo(SLOW));
        } else if (faults.happens(faults.pause)) {
            node.pausedUntil = world.now() + world.upTo(SLOW.multipliedBy(2)).toNanos();
            world.pass(Duration.ofNanos(node.pausedUntil - world.now()));
        }
        if (!node.alive) {
            throw new VirtualWorld.ActorCrashedException();
        }
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return call(() -> truth.claimAll(claims));
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return call(() -> truth.updateAll(updates));
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        return call(() -> new StoreCallResult(truth.find(id))).seen;
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        return call(() -> truth.list(filter, cursor, limit));
    }

    @Override
    public int sweep(int limit) {
        return call(() -> truth.sweep(limit));
    }

    @Override
    public @Nullable RecordSignals signals() {
        return signalling ? this : null;
    }

    @Override
    public Subscription subscribe(RecordId id, Runnable wake) {
        if (faults.happens(faults.lostSignal)) {
            throw new StoreException("no subscription");
        }
        return board.subscribe(id, () -> world.after(node, world.upTo(Duration.ofMillis(5)), wake), node);
    }

    @Override
    public void publish(RecordId id) {
        if (faults.happens(faults.lostSignal)) {
            throw new StoreException("no signal");
        }
        board.publish(id);
    }

    private record StoreCallResult(@Nullable RecordSnapshot seen) {}
}
