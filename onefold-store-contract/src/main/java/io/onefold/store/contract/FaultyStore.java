package io.onefold.store.contract;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ColumnUpdate;
import io.onefold.store.ForwardingStore;
import io.onefold.store.PayloadRejectedException;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import io.onefold.store.RecordUpdate;
import io.onefold.store.ResultPayload;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.Takeover;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that fails on request, before a step or after it, and counts the listeners for signals. */
final class FaultyStore extends ForwardingStore implements RecordSignals {
    static final int ALWAYS = Integer.MAX_VALUE;

    private final List<PlannedFault> faults = new CopyOnWriteArrayList<>();
    private final AtomicInteger subscriptions = new AtomicInteger();
    private volatile int largest = Integer.MAX_VALUE;
    private volatile boolean held;

    FaultyStore(Store behind) {
        super(behind);
    }

    enum FaultMoment {
        /** The step does not happen. */
        BEFORE,
        /** The step happens, but its result is lost. */
        AFTER
    }

    /** Fails the next steps of a kind: {@link Claim}s, those with a {@link Takeover}, or a class of {@link Change}s. */
    void fail(Class<?> kind, FaultMoment when, int times) {
        faults.add(new PlannedFault(kind, when, new AtomicInteger(times)));
    }

    /** Refuses payloads of more than so many bytes, as a store does that can never take them. */
    void refuse(int bytes) {
        largest = bytes;
    }

    /** Lets no claim through until it is healed. */
    void holdClaims() {
        held = true;
    }

    void heal() {
        held = false;
        faults.clear();
        largest = Integer.MAX_VALUE;
    }

    int subscriptions() {
        return subscriptions.get();
    }

    @Override
    public ClaimResult claim(Claim claim) {
        while (held) {
            LockSupport.parkNanos(1_000_000);
        }
        strike(claim, FaultMoment.BEFORE);
        strike(claim.take(), FaultMoment.BEFORE);
        ClaimResult claimed = behind.claim(claim);
        strike(claim, FaultMoment.AFTER);
        strike(claim.take(), FaultMoment.AFTER);
        return claimed;
    }

    @Override
    public UpdateResult update(Ticket ticket, Change change) {
        ResultPayload payload =
                change instanceof Change.Mirror ? null : ColumnUpdate.of(change).payload();
        if (payload != null && payload.bytes().length > largest) {
            throw new PayloadRejectedException("more than " + largest + " bytes", null);
        }
        strike(change, FaultMoment.BEFORE);
        UpdateResult updated = behind.update(ticket, change);
        strike(change, FaultMoment.AFTER);
        return updated;
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return claims.stream().map(claim -> answer(() -> claim(claim))).toList();
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return updates.stream()
                .map(update -> answer(() -> update(update.ticket(), update.change())))
                .toList();
    }

    @Override
    public RecordSignals signals() {
        return this;
    }

    @Override
    public Subscription subscribe(RecordId id, Runnable wake) {
        RecordSignals signals = behind.signals();
        Subscription inner = signals == null ? () -> {} : signals.subscribe(id, wake);
        subscriptions.incrementAndGet();
        return () -> {
            subscriptions.decrementAndGet();
            inner.close();
        };
    }

    @Override
    public void publish(RecordId id) {
        RecordSignals signals = behind.signals();
        if (signals != null) {
            signals.publish(id);
        }
    }

    private void strike(@Nullable Object step, FaultMoment when) {
        for (PlannedFault fault : faults) {
            if (fault.kind.isInstance(step) && fault.when == when && fault.left.getAndDecrement() > 0) {
                throw new StoreException("failed " + when + " " + fault.kind.getSimpleName());
            }
        }
    }

    private static <T> BatchItemResult<T> answer(Supplier<T> step) {
        try {
            return BatchItemResult.of(step.get());
        } catch (RuntimeException e) {
            return BatchItemResult.failed(e);
        }
    }

    private record PlannedFault(Class<?> kind, FaultMoment when, AtomicInteger left) {}
}
