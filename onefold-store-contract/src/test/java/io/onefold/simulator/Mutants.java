package io.onefold.simulator;

import io.onefold.AsyncWork;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Stores and engines that are broken on purpose, each in the way of a bug that was found somewhere, and what it breaks. */
@SuppressWarnings("ImmutableEnumChecker") // a setup is made of functions without state
enum Mutants {
    /** B1: looks first, and claims afterwards what it saw to be free. */
    CHECK_THEN_ACT(
            Invariant.I1, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                public ClaimResult claim(Claim claim) {
                    RecordSnapshot seen = store.find(claim.id());
                    breathe.run();
                    ClaimResult claimed = store.claim(claim);
                    boolean free = seen == null && claimed instanceof RecordSnapshot;
                    return free
                            ? new ClaimResult.Acquired(
                                    ((RecordSnapshot) claimed).record().fence() + 1, claimed.now())
                            : claimed;
                }
            })),
    /** Answers before the work has run. */
    ANSWERS_FIRST(Invariant.I2, SimulationSetup.REAL.doors(onefold -> new BrokenDoor(onefold) {
        @Override
        public <T> CompletionStage<Outcome<T>> attempt(Operation<T> operation, Key key, AsyncWork<T> work) {
            CompletableFuture<Outcome<T>> early = new CompletableFuture<>();
            var unused = onefold.attemptAsync(operation, key, attempt -> {
                        early.complete(new Outcome.Executed<>(null, true));
                        return work.start(attempt);
                    })
                    .whenComplete((outcome, thrown) -> {
                        if (thrown == null) {
                            early.complete(outcome);
                        } else {
                            early.completeExceptionally(thrown);
                        }
                    });
            return early;
        }
    })),
    /** B2: a duplicate gets null for its result. */
    REPLAYS_NULL(Invariant.I3, SimulationSetup.REAL.doors(onefold -> new BrokenDoor(onefold) {
        @Override
        public <T> CompletionStage<Outcome<T>> attempt(Operation<T> operation, Key key, AsyncWork<T> work) {
            return onefold.attemptAsync(operation, key, work)
                    .thenApply(outcome ->
                            outcome instanceof Outcome.Replayed ? new Outcome.Replayed<>(null, true) : outcome);
        }
    })),
    /** B17: what is finished is forgotten too early. */
    FORGETS(Invariant.I4, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
        @Override
        public ClaimResult claim(Claim claim) {
            ClaimResult claimed = store.claim(claim);
            boolean old = claimed instanceof RecordSnapshot seen
                    && seen.record().status() == Status.SUCCESS
                    && seen.now() - seen.record().times().updatedAt() > 10_000_000;
            return old
                    ? new RecordSnapshot(with(((RecordSnapshot) claimed).record(), Status.UNKNOWN), claimed.now())
                    : claimed;
        }
    })),
    /** Does not compare payloads. */
    COMPARES_NOTHING(
            Invariant.I5, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                public ClaimResult claim(Claim claim) {
                    ClaimResult claimed = store.claim(claim);
                    return claimed instanceof RecordSnapshot seen
                            ? new RecordSnapshot(without(seen.record()), seen.now())
                            : claimed;
                }
            })),
    /** B14: the key alone says which record it is. */
    KNOWS_NO_TENANTS(
            Invariant.I6, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                public ClaimResult claim(Claim claim) {
                    RecordId shared =
                            RecordId.of("a", claim.id().operation(), claim.id().key());
                    ClaimResult elsewhere = claim.take() == null ? seen(store.find(shared)) : null;
                    return elsewhere instanceof RecordSnapshot seen
                                    && seen.record().status() == Status.SUCCESS
                            ? new RecordSnapshot(seen.record().filed(claim.id()), seen.now())
                            : store.claim(claim);
                }

                private @Nullable ClaimResult seen(@Nullable RecordSnapshot seen) {
                    return seen;
                }
            })),
    /** Lists nothing that is stuck. */
    HIDES_THE_STUCK(
            Invariant.I7, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
                    return filter.leaseOver() ? new RecordPage(List.of(), null, 0) : store.list(filter, cursor, limit);
                }
            })),
    /** Lets anyone declare an owner lost. */
    DOUBTS_THE_LIVING(
            Invariant.I8, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                public ClaimResult claim(Claim claim) {
                    ClaimResult claimed = store.claim(claim);
                    return claimed instanceof RecordSnapshot seen
                            ? new RecordSnapshot(seen.record(), seen.now() + 60_000_000)
                            : claimed;
                }

                @Override
                UpdateResult update(RecordUpdate update) {
                    Change change = update.change();
                    return store.update(
                            update.ticket(),
                            change instanceof Change.MarkUnknown unknown
                                    ? new Change.MarkUnknown(unknown.note(), false)
                                    : change);
                }
            })),
    /** B7: records the failure of the work as success. */
    CALLS_FAILURE_SUCCESS(
            Invariant.I8, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                UpdateResult update(RecordUpdate update) {
                    ResultPayload nothing = new ResultPayload(ResultPayload.Kind.NOTHING, "json", 1, null, new byte[0]);
                    return store.update(
                            update.ticket(),
                            update.change() instanceof Change.Fail fail
                                    ? new Change.Complete(nothing, fail.keep())
                                    : update.change());
                }
            })),
    /** Lets whatever is unknown run again. */
    FREES_THE_UNKNOWN(
            Invariant.I9, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                UpdateResult update(RecordUpdate update) {
                    boolean success = update.change() instanceof Change.Settle settle && settle.to() == Status.SUCCESS;
                    Change.Settle settle = success ? (Change.Settle) update.change() : null;
                    return settle == null
                            ? store.update(update.ticket(), update.change())
                            : store.update(
                                    update.ticket(),
                                    new Change.Settle(
                                            settle.settler(), Status.FREE, null, settle.keep(), settle.anyway()));
                }
            })),
    /** B18: a lease that ended is an invitation to run. */
    TAKES_OVER(Invariant.I1, SimulationSetup.REAL.doors(onefold -> new BrokenDoor(onefold) {
        @Override
        public <T> CompletionStage<Outcome<T>> attempt(Operation<T> operation, Key key, AsyncWork<T> work) {
            boolean lenient = operation.repeats(1);
            return onefold.attemptAsync(
                    lenient ? operation : operation.maxAttempts(100).safeToRepeat(), key, work);
        }
    })),
    /** B19: what was kept for a while may as well run again. */
    RUNS_AGAIN(Invariant.I10, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
        @Override
        public ClaimResult claim(Claim claim) {
            ClaimResult claimed = store.claim(claim);
            boolean old = claimed instanceof RecordSnapshot seen
                    && seen.record().status() == Status.SUCCESS
                    && seen.now() - seen.record().times().updatedAt() > 10_000_000;
            return old
                    ? store.claim(claim.replacing(
                            Takeover.TakeoverReason.OVERWRITE, ((RecordSnapshot) claimed).record(), List.of()))
                    : claimed;
        }
    })),
    /** B12: answers get lost between the engine and its caller. */
    LOSES_ANSWERS(Invariant.I11, SimulationSetup.REAL.doors(onefold -> new BrokenDoor(onefold) {
        @Override
        public <T> CompletionStage<Outcome<T>> attempt(Operation<T> operation, Key key, AsyncWork<T> work) {
            CompletableFuture<Outcome<T>> lost = new CompletableFuture<>();
            var unused = onefold.attemptAsync(operation, key, work).thenAccept(outcome -> {
                if (!(outcome instanceof Outcome.InProgress)) {
                    lost.complete(outcome);
                }
            });
            return lost;
        }
    })),
    /** Fails where it should answer. */
    THROWS(Invariant.I11, SimulationSetup.REAL.doors(onefold -> new BrokenDoor(onefold) {
        @Override
        public <T> CompletionStage<Outcome<T>> attempt(Operation<T> operation, Key key, AsyncWork<T> work) {
            return onefold.attemptAsync(operation, key, work).thenApply(outcome -> {
                throw new IllegalStateException("a bug");
            });
        }
    })),
    /** Does not hear an owner who says too late that nothing was carried out. */
    IGNORES_LATE_RELEASES(
            Invariant.I13, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                UpdateResult update(RecordUpdate update) {
                    RecordSnapshot seen = store.find(update.ticket().id());
                    boolean late = seen != null
                            && seen.record().status() == Status.UNKNOWN
                            && update.change() instanceof Change.Release;
                    return late ? UpdateResult.LOST : store.update(update.ticket(), update.change());
                }
            })),
    /** Frees the key when an attempt to overwrite has no effect, and forgets the earlier answer. */
    FORGETS_WHAT_IT_OVERWRITES(
            Invariant.I14, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                public ClaimResult claim(Claim claim) {
                    Takeover take = claim.take();
                    boolean overwrites = take != null && take.grounds() == Takeover.TakeoverReason.OVERWRITE;
                    RecordSnapshot seen = overwrites ? store.find(claim.id()) : null;
                    ClaimResult claimed = store.claim(claim);
                    if (seen != null && claimed instanceof ClaimResult.Acquired won) {
                        Ticket ticket = new Ticket(claim.id(), claim.owner(), won.fence());
                        store.update(ticket, new Change.Release(RetentionPeriod.of(claim.lease())));
                        RecordSnapshot again = Objects.requireNonNull(store.find(claim.id()));
                        Change.Mirror forgotten = new Change.Mirror(
                                open(again.record(), claim), claim.lease(), claim.lease(), Duration.ZERO);
                        store.update(again.record().ticket(), forgotten);
                        return new ClaimResult.Acquired(forgotten.record().fence(), won.now());
                    }
                    return claimed;
                }
            })),
    /** Tells those who wait that the attempt has failed, while it is still under way. */
    CALLS_WHAT_IS_UNDER_WAY_FREE(
            Invariant.I15, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                public ClaimResult claim(Claim claim) {
                    ClaimResult claimed = store.claim(claim);
                    boolean underWay = claimed instanceof RecordSnapshot seen
                            && seen.record().status() == Status.PROCESSING
                            && seen.now() - seen.record().times().createdAt() > 100_000;
                    return underWay
                            ? new RecordSnapshot(with(((RecordSnapshot) claimed).record(), Status.FREE), claimed.now())
                            : claimed;
                }
            })),
    /** B4 and B5: completes whatever it finds. */
    KNOWS_NO_OWNER(
            Invariant.I12, SimulationSetup.REAL.stores((clock, breathe) -> new PassingStore(new MemoryStore(clock)) {
                @Override
                UpdateResult update(RecordUpdate update) {
                    RecordSnapshot seen = store.find(update.ticket().id());
                    return seen != null && update.change() instanceof Change.Complete
                            ? store.update(seen.record().ticket(), update.change())
                            : store.update(update.ticket(), update.change());
                }
            }));

    static final Mutants ANY = CHECK_THEN_ACT;

    private final Invariant breaks;
    private final SimulationSetup setup;

    Mutants(Invariant breaks, SimulationSetup setup) {
        this.breaks = breaks;
        this.setup = setup;
    }

    Invariant breaks() {
        return breaks;
    }

    SimulationSetup setup() {
        return setup;
    }

    private static StoredRecord with(StoredRecord record, Status status) {
        return new StoredRecord(
                record.id(),
                status,
                record.owner(),
                record.fence(),
                record.attempts(),
                record.times(),
                record.prints(),
                record.payload(),
                null,
                record.bizId());
    }

    /** The record as the claim would have made it. */
    private static StoredRecord open(StoredRecord record, Claim claim) {
        return new StoredRecord(
                record.id(),
                Status.PROCESSING,
                claim.owner(),
                record.fence() + 1,
                claim.attempts(),
                record.times(),
                new StoredRecord.RecordFingerprints(
                        claim.print().hash(), claim.print().fields(), claim.superseded()),
                null,
                null,
                claim.bizId());
    }

    private static StoredRecord without(StoredRecord record) {
        StoredRecord.RecordFingerprints none = new StoredRecord.RecordFingerprints(null, null, List.of());
        return new StoredRecord(
                record.id(),
                record.status(),
                record.owner(),
                record.fence(),
                record.attempts(),
                record.times(),
                none,
                record.payload(),
                record.checkpoint(),
                record.bizId());
    }

    private abstract static class BrokenDoor implements AsyncEngineCaller {
        final Onefold onefold;

        BrokenDoor(Onefold onefold) {
            this.onefold = onefold;
        }
    }
}
