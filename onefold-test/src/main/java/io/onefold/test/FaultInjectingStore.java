package io.onefold.test;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.StoreTransactions;
import io.onefold.store.Takeover;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A store that fails on request, in front of one that works. It is for tests of an application's behavior under faults.
 *
 * <pre>{@code
 * FaultInjectingStore chaos = FaultInjectingStore.around(new MemoryStore());
 * chaos.fail(CrashPoint.AFTER_CLAIM).operation("pay").times(2);   // two claims lose their responses; the engine retries
 * chaos.crash(CrashPoint.BEFORE_COMPLETE).once();                 // paid, and then the process was gone
 * }</pre>
 *
 * Transactional calls have the same points. Their claim is the lock on the record. Their completion is the commit, or
 * the writing of the record if the caller commits.
 */
public final class FaultInjectingStore extends ForwardingStore {
    private static final Duration THIEFS_LEASE = Duration.ofSeconds(30);

    private final List<StoreFault.ArmedFault> faults = new CopyOnWriteArrayList<>();
    private final AtomicInteger struck = new AtomicInteger();

    private FaultInjectingStore(Store behind) {
        super(behind);
    }

    public static FaultInjectingStore around(Store store) {
        return new FaultInjectingStore(store);
    }

    /** Makes the store unreachable, or loses its response; the caller may try again. */
    public StoreFault fail(CrashPoint point) {
        return at(point, step -> {
            throw new StoreException("chaos: failed " + step.point());
        });
    }

    /** The process ends there: see {@link SimulatedCrash}. What it has claimed stays as it is until its lease is over. */
    public StoreFault crash(CrashPoint point) {
        return at(point, step -> {
            throw new SimulatedCrash(step.point());
        });
    }

    /** The store takes this much longer, in real time. */
    public StoreFault slow(CrashPoint point, Duration delay) {
        return at(point, step -> sleep(delay));
    }

    /** Something else happens just then: a clock is moved, another call comes. */
    public StoreFault run(CrashPoint point, Runnable action) {
        return at(point, step -> action.run());
    }

    /**
     * Somebody else has taken the record when its owner next renews its lease or writes down how the work ended; the owner is overtaken.
     * That somebody is never heard of again. Joined calls have no lease to lose.
     */
    public StoreFault loseLease() {
        Predicate<StoreFault.StoreStep> spoken =
                step -> step.point() == CrashPoint.BEFORE_RENEW || step.point() == CrashPoint.BEFORE_COMPLETE;
        return new StoreFault(faults::add, spoken.and(step -> step.ticket() != null), step -> steal(step.ticket()));
    }

    private StoreFault at(CrashPoint point, StoreFault.FaultEffect effect) {
        Objects.requireNonNull(point, "point");
        return new StoreFault(faults::add, step -> step.point() == point, effect);
    }

    /** Nothing goes wrong any more. */
    public void heal() {
        faults.clear();
    }

    /** Returns the number of faults that have occurred. A test that expects faults should check it. */
    public int struck() {
        return struck.get();
    }

    @Override
    public ClaimResult claim(Claim claim) {
        strike(CrashPoint.BEFORE_CLAIM, claim.id(), null);
        return heard(claim, behind.claim(claim));
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return all(claims, claim -> strike(CrashPoint.BEFORE_CLAIM, claim.id(), null), behind::claimAll, this::heard);
    }

    private ClaimResult heard(Claim claim, ClaimResult claimed) {
        if (claimed instanceof ClaimResult.Acquired) {
            strike(CrashPoint.AFTER_CLAIM, claim.id(), null);
        }
        return claimed;
    }

    @Override
    public UpdateResult update(Ticket ticket, Change change) {
        RecordUpdate update = new RecordUpdate(ticket, change);
        announce(update);
        return heard(update, behind.update(ticket, change));
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return all(updates, this::announce, behind::updateAll, this::heard);
    }

    private void announce(RecordUpdate update) {
        if (update.change() instanceof Change.Renew) {
            strike(CrashPoint.BEFORE_RENEW, update.ticket().id(), update.ticket());
        } else if (ends(update.change())) {
            strike(CrashPoint.BEFORE_COMPLETE, update.ticket().id(), update.ticket());
        }
    }

    private UpdateResult heard(RecordUpdate update, UpdateResult updated) {
        if (ends(update.change())) {
            strike(CrashPoint.AFTER_COMPLETE, update.ticket().id(), update.ticket());
        }
        return updated;
    }

    /**
     * Returns true if the change is its owner's report of how the work ended. The release of a claim before that is no
     * such report.
     */
    private static boolean ends(Change change) {
        return change instanceof Change.Complete
                || change instanceof Change.Fail
                || (change instanceof Change.Release release && release.counts())
                || (change instanceof Change.MarkUnknown unknown && !unknown.leaseOver());
    }

    /** Runs a batch. The items that do not fail before the call go on together, in their order. */
    private static <Q, A> List<BatchItemResult<A>> all(
            List<Q> questions,
            Consumer<Q> before,
            Function<List<Q>, List<BatchItemResult<A>>> asking,
            BiFunction<Q, A, A> after) {
        List<@Nullable BatchItemResult<A>> failed = new ArrayList<>();
        List<Q> passed = new ArrayList<>();
        for (Q question : questions) {
            try {
                before.accept(question);
                passed.add(question);
                failed.add(null);
            } catch (StoreException e) {
                failed.add(BatchItemResult.failed(e));
            }
        }
        List<BatchItemResult<A>> answered = passed.isEmpty() ? List.of() : asking.apply(passed);
        List<BatchItemResult<A>> answers = new ArrayList<>();
        int next = 0;
        for (BatchItemResult<A> failure : failed) {
            if (failure != null) {
                answers.add(failure);
                continue;
            }
            Q question = passed.get(next);
            BatchItemResult<A> answer = answered.get(next++);
            answers.add(answer.succeeded() ? BatchItemResult.from(() -> after.apply(question, answer.get())) : answer);
        }
        return answers;
    }

    @Override
    public @Nullable StoreTransactions joining() {
        StoreTransactions joining = behind.joining();
        return joining == null ? null : new FaultInjectingTransactions(joining, this);
    }

    void strike(CrashPoint point, RecordId id, @Nullable Ticket ticket) {
        StoreFault.StoreStep step = new StoreFault.StoreStep(point, id, ticket);
        for (StoreFault.ArmedFault fault : faults) {
            if (fault.takes(step)) {
                struck.incrementAndGet();
                fault.effect().strike(step);
            }
        }
    }

    private void steal(@Nullable Ticket ticket) {
        RecordId id = Objects.requireNonNull(ticket).id();
        RetentionPeriod keep = RetentionPeriod.of(Duration.ofDays(1));
        behind.update(ticket, new Change.Settle(UUID.randomUUID(), Status.FREE, null, keep, true));
        RecordSnapshot seen = behind.find(id);
        if (seen != null && seen.record().status() == Status.FREE) {
            behind.claim(Claim.of(id, UUID.randomUUID(), THIEFS_LEASE)
                    .retaking(
                            Takeover.TakeoverReason.FREE,
                            seen.record(),
                            seen.record().prints().superseded()));
        }
    }

    private static void sleep(Duration delay) {
        try {
            Thread.sleep(delay.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
