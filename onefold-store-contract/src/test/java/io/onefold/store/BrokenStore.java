package io.onefold.store;

import io.onefold.store.Change.Complete;
import io.onefold.store.StoredRecord.RecordFingerprints;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Stores with one defect each, all seen in the wild. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum BrokenStore {
    NONE(OpenStore::new),

    /** Grants every claim, and hears of no end. */
    LETS_ANYBODY_IN(clock -> new OpenStore(clock) {
        @Override
        public ClaimResult claim(Claim claim) {
            synchronized (records) {
                return new ClaimResult.Acquired(1, clock.getAsLong());
            }
        }

        @Override
        public UpdateResult update(Ticket ticket, Change change) {
            synchronized (records) {
                return UpdateResult.APPLIED;
            }
        }
    }),

    /** Looks whether the record is there, then writes it. */
    CHECK_THEN_ACT(clock -> new OpenStore(clock) {
        @Override
        public ClaimResult claim(Claim claim) {
            RecordSnapshot seen = find(claim.id());
            if (seen != null || claim.take() != null) {
                return super.claim(claim);
            }
            LockSupport.parkNanos(1_000_000);
            synchronized (records) {
                long now = clock.getAsLong();
                StoredRecord mine = RecordTransitions.insert(claim, fence(null, claim, now), now, now);
                records.put(claim.id(), mine);
                return new ClaimResult.Acquired(mine.fence(), now);
            }
        }
    }),

    CHANGES_WITHOUT_OWNER(clock -> new OpenStore(clock) {
        @Override
        @Nullable
        StoredRecord changed(@Nullable StoredRecord there, Ticket ticket, Change change, long now) {
            Ticket anyone = there == null ? ticket : new Ticket(ticket.id(), there.owner(), ticket.fence());
            return super.changed(there, anyone, change, now);
        }
    }),

    CHANGES_WITHOUT_FENCE(clock -> new OpenStore(clock) {
        @Override
        @Nullable
        StoredRecord changed(@Nullable StoredRecord there, Ticket ticket, Change change, long now) {
            Ticket ever = there == null ? ticket : new Ticket(ticket.id(), ticket.owner(), there.fence());
            return super.changed(there, ever, change, now);
        }
    }),

    COMPLETES_WHATEVER_IS_THERE(clock -> new OpenStore(clock) {
        @Override
        @Nullable
        StoredRecord changed(@Nullable StoredRecord there, Ticket ticket, Change change, long now) {
            StoredRecord pretended = there != null && change instanceof Complete ? processing(there) : there;
            return super.changed(pretended, ticket, change, now);
        }

        private static StoredRecord processing(StoredRecord there) {
            return new StoredRecord(
                    there.id(),
                    Status.PROCESSING,
                    there.owner(),
                    there.fence(),
                    there.attempts(),
                    there.times(),
                    there.prints(),
                    null,
                    there.checkpoint(),
                    there.bizId());
        }
    }),

    SUCCESS_BEFORE_ITS_RESULT(clock -> new OpenStore(clock) {
        @Override
        public UpdateResult update(Ticket ticket, Change change) {
            if (change instanceof Complete complete) {
                ResultPayload nothing = new ResultPayload(ResultPayload.Kind.NOTHING, "", 0, null, new byte[0]);
                UpdateResult updated = super.update(ticket, new Complete(nothing, complete.keep()));
                LockSupport.parkNanos(1_000_000);
                synchronized (records) {
                    StoredRecord there = records.get(ticket.id());
                    if (updated == UpdateResult.APPLIED && there != null && nothing.equals(there.payload())) {
                        records.put(ticket.id(), paid(there, complete.result()));
                    }
                }
                return updated;
            }
            return super.update(ticket, change);
        }

        private static StoredRecord paid(StoredRecord there, ResultPayload result) {
            return new StoredRecord(
                    there.id(),
                    there.status(),
                    there.owner(),
                    there.fence(),
                    there.attempts(),
                    there.times(),
                    there.prints(),
                    result,
                    null,
                    there.bizId());
        }
    }),

    CACHES_BEFORE_THE_TRUTH(clock -> new OpenStore(clock) {
        private final ConcurrentHashMap<RecordId, StoredRecord> cache = new ConcurrentHashMap<>();

        @Override
        public UpdateResult update(Ticket ticket, Change change) {
            StoredRecord there = records.get(ticket.id());
            if (there != null && change instanceof Complete) {
                StoredRecord hoped = changed(there, there.ticket(), change, clock.getAsLong());
                if (hoped != null) {
                    cache.put(ticket.id(), hoped);
                }
            }
            return super.update(ticket, change);
        }

        @Override
        public @Nullable RecordSnapshot find(RecordId id) {
            StoredRecord cached = cache.get(id);
            return cached == null ? super.find(id) : new RecordSnapshot(cached, clock.getAsLong());
        }
    }),

    A_REFUSED_TAKE_STAYS(clock -> new OpenStore(clock) {
        @Override
        public ClaimResult claim(Claim claim) {
            synchronized (records) {
                StoredRecord there = records.get(claim.id());
                ClaimResult claimed = super.claim(claim);
                if (there != null && claim.take() != null && claimed instanceof RecordSnapshot) {
                    long now = clock.getAsLong();
                    records.put(claim.id(), RecordTransitions.insert(claim, there.fence(), now, now));
                }
                return claimed;
            }
        }
    }),

    A_CLAIM_MEETS_ITS_OWN_LOCK(clock -> new OpenStore(clock) {
        @Override
        public ClaimResult claim(Claim claim) {
            synchronized (records) {
                boolean absent = !records.containsKey(claim.id());
                ClaimResult claimed = super.claim(claim);
                return absent && claimed instanceof ClaimResult.Acquired
                        ? new RecordSnapshot(Objects.requireNonNull(records.get(claim.id())), claimed.now())
                        : claimed;
            }
        }
    }),

    A_LOST_RACE_IS_AN_ERROR(clock -> new OpenStore(clock) {
        @Override
        public ClaimResult claim(Claim claim) {
            boolean absent = find(claim.id()) == null;
            LockSupport.parkNanos(1_000_000);
            ClaimResult claimed = super.claim(claim);
            if (absent && claimed instanceof RecordSnapshot) {
                throw new StoreException("duplicate key");
            }
            return claimed;
        }
    }),

    A_LEASE_THAT_IS_OVER_TAKES_THE_RECORD_WITH_IT(clock -> new OpenStore(clock) {
        @Override
        public ClaimResult claim(Claim claim) {
            synchronized (records) {
                records.values().removeIf(record -> record.leaseOver(clock.getAsLong()));
                return super.claim(claim);
            }
        }
    }),

    FENCES_BEGIN_ANEW(clock -> new OpenStore(clock) {
        @Override
        long fence(@Nullable StoredRecord there, Claim claim, long now) {
            return there == null ? 1 : there.fence() + 1;
        }
    }),

    FENCES_FOLLOW_THE_CLOCK(clock -> new OpenStore(clock) {
        @Override
        long fence(@Nullable StoredRecord there, Claim claim, long now) {
            return there == null ? now : Math.max(there.fence() + 1, now);
        }
    }),

    TWO_OWNERS_OF_A_FENCE(clock -> new OpenStore(clock) {
        @Override
        long fence(@Nullable StoredRecord there, Claim claim, long now) {
            return super.fence(there, claim, now) / 4;
        }
    }),

    SWEEPS_THE_UNKNOWN(clock -> new OpenStore(clock) {
        @Override
        boolean sweepable(StoredRecord record, long now) {
            return super.sweepable(record, now)
                    || (record.status() == Status.UNKNOWN && record.times().leaseUntil() <= now);
        }
    }),

    RELEASES_THE_FINGERPRINT(clock -> new OpenStore(clock) {
        @Override
        @Nullable
        StoredRecord changed(@Nullable StoredRecord there, Ticket ticket, Change change, long now) {
            StoredRecord after = super.changed(there, ticket, change, now);
            return after == null || !(change instanceof Change.Release)
                    ? after
                    : new StoredRecord(
                            after.id(),
                            after.status(),
                            after.owner(),
                            after.fence(),
                            after.attempts(),
                            after.times(),
                            new RecordFingerprints(null, null, List.of()),
                            after.payload(),
                            after.checkpoint(),
                            after.bizId());
        }
    }),

    FORGETS_WHAT_IT_OVERWRITES(clock -> new OpenStore(clock) {
        @Override
        void keep(@Nullable StoredRecord there, Claim claim) {}
    }),

    ONE_BAD_ITEM_SPOILS_THE_BATCH(clock -> new OpenStore(clock) {
        @Override
        public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
            return claims.stream()
                    .map(claim -> BatchItemResult.of(claim(claim)))
                    .toList();
        }
    }),

    DIGESTS_ARE_TRUSTED(clock -> new OpenStore(clock) {
        @Override
        public @Nullable RecordSnapshot find(RecordId id) {
            synchronized (records) {
                StoredRecord there = records.get(id);
                return there == null ? null : new RecordSnapshot(there, clock.getAsLong());
            }
        }
    }),

    A_REPEATED_CLAIM_MEETS_ITSELF(clock -> new OpenStore(clock) {
        @Override
        public ClaimResult claim(Claim claim) {
            synchronized (records) {
                boolean again = records.containsKey(claim.id()) && claim.take() == null;
                ClaimResult claimed = super.claim(claim);
                return again && claimed instanceof ClaimResult.Acquired
                        ? new RecordSnapshot(Objects.requireNonNull(records.get(claim.id())), claimed.now())
                        : claimed;
            }
        }
    });

    private final Function<LongSupplier, Store> opening;

    BrokenStore(Function<LongSupplier, Store> opening) {
        this.opening = opening;
    }

    public Store open(LongSupplier clock) {
        return opening.apply(clock);
    }
}
