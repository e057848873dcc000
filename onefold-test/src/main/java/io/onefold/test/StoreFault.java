package io.onefold.test;

import io.onefold.store.RecordId;
import io.onefold.store.Ticket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Something that goes wrong in a {@link FaultInjectingStore}, once it is armed by {@link #once}, {@link #times} or {@link #always}. */
public final class StoreFault {
    private final Consumer<ArmedFault> arming;
    private final Predicate<StoreStep> where;
    private final Predicate<RecordId> whose;
    private final FaultEffect effect;

    StoreFault(Consumer<ArmedFault> arming, Predicate<StoreStep> where, FaultEffect effect) {
        this(arming, where, id -> true, effect);
    }

    private StoreFault(
            Consumer<ArmedFault> arming, Predicate<StoreStep> where, Predicate<RecordId> whose, FaultEffect effect) {
        this.arming = arming;
        this.where = where;
        this.whose = whose;
        this.effect = effect;
    }

    /** Only for records of this operation. */
    public StoreFault operation(String name) {
        return only(id -> id.operation().equals(name));
    }

    /** Only for records of this key, in any scope; also where only its hash is stored. */
    public StoreFault key(String key) {
        return only(id -> id.key().equals(key)
                || RecordId.hashed(id.scope(), id.operation(), key).equals(id));
    }

    private StoreFault only(Predicate<RecordId> those) {
        return new StoreFault(arming, where, whose.and(those), effect);
    }

    /** For the next step that it is meant for. */
    public void once() {
        times(1);
    }

    /** For the next so many steps that it is meant for. */
    public void times(int times) {
        if (times < 1) {
            throw new IllegalArgumentException("times must be at least 1, not " + times);
        }
        arming.accept(new ArmedFault(where, whose, effect, new AtomicInteger(times)));
    }

    /** Until the store is healed. */
    public void always() {
        times(Integer.MAX_VALUE);
    }

    /**
     * A step of a store, before or after it happens.
     *
     * @param ticket whose lease it is; null where there is none
     */
    record StoreStep(
            CrashPoint point, RecordId id, @Nullable Ticket ticket) {}

    /** The effect of a fault on a step. If it throws, the step throws the same. */
    interface FaultEffect {
        void strike(StoreStep step);
    }

    record ArmedFault(Predicate<StoreStep> where, Predicate<RecordId> whose, FaultEffect effect, AtomicInteger left) {

        /** Returns true if the fault occurs at this step; then one fewer is left. */
        boolean takes(StoreStep step) {
            return where.test(step) && whose.test(step.id) && left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
        }
    }
}
