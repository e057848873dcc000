package io.onefold.store.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Status;
import io.onefold.store.Store;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes random changes to a few records, on several threads at once, and has {@link CallHistory} check the results of
 * the store. The changes of each thread depend on the seed alone. The timing of the threads does not, so run a seed
 * that found something a few times again.
 */
public final class StoreFuzz {
    private static final TakeoverReason[] GROUNDS = TakeoverReason.values();
    private static final Status[] ENDS = {Status.SUCCESS, Status.FAILED, Status.FREE};

    private final StoreFixture fixture;
    private final long seed;
    private final List<RecordId> ids;
    private final CallHistory history;

    private StoreFuzz(StoreFixture fixture, long seed, int keys) {
        this.fixture = fixture;
        this.seed = seed;
        String run = seed + "-" + UUID.randomUUID();
        this.ids = IntStream.range(0, keys)
                .mapToObj(i -> RecordId.of("fuzz", "fuzz", run + "-" + i))
                .toList();
        this.history = new CallHistory(seed);
    }

    /**
     * Runs one seed.
     *
     * @param steps of each thread
     * @throws AssertionError with the seed and the contradiction, if the store contradicts itself
     */
    public static void run(StoreFixture fixture, long seed, int threads, int keys, int steps) {
        StoreFuzz fuzz = new StoreFuzz(fixture, seed, keys);
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            FuzzThread wanderer = fuzz.new FuzzThread(i);
            tasks.add(() -> {
                for (int step = 0; step < steps; step++) {
                    wanderer.step(step);
                }
                return steps;
            });
        }
        ConcurrentTasks.run(tasks);
        fuzz.history.check();
    }

    /** One thread: it remembers the tickets it won and the records it saw, and uses them long after they are stale. */
    private final class FuzzThread {
        private final Random random;
        private final Store store;
        private final String name;
        private final List<Ticket> tickets = new ArrayList<>();
        private final List<StoredRecord> sights = new ArrayList<>();

        FuzzThread(int number) {
            this.random = new Random(seed * 31 + number);
            this.store = number % 2 == 0 ? fixture.store() : fixture.reopened();
            this.name = "thread " + number;
        }

        void step(int step) {
            RecordId id = ids.get(random.nextInt(ids.size()));
            int dice = random.nextInt(100);
            if (dice < 45) {
                claim(id);
            } else if (dice < 85) {
                update(id, name + " step " + step);
            } else if (dice < 95) {
                look(id);
            } else if (dice < 98) {
                store.sweep(1 + random.nextInt(3));
            } else {
                fixture.pass(Duration.ofMillis(1));
            }
        }

        private void claim(RecordId id) {
            StoredRecord seen = last(sights);
            Claim claim = Claim.of(seen == null ? id : seen.id(), UUID.randomUUID(), time());
            // an operation overwrites or it does not, and caches rely on it
            boolean overwrites = ids.indexOf(claim.id()) == 0;
            TakeoverReason grounds = GROUNDS[random.nextInt(GROUNDS.length)];
            if (seen != null && random.nextInt(3) > 0 && (overwrites || grounds != TakeoverReason.OVERWRITE)) {
                claim = claim.retaking(grounds, seen, List.of());
            }
            claim = overwrites ? claim.overwriting() : claim;
            long began = history.now();
            ClaimResult claimed = store.claim(claim);
            if (claimed instanceof ClaimResult.Acquired won) {
                Ticket ticket = new Ticket(claim.id(), claim.owner(), won.fence());
                history.won(ticket, began);
                tickets.add(ticket);
            } else {
                RecordSnapshot seenNow = (RecordSnapshot) claimed;
                sights.add(seenNow.record());
                if (!fixture.answersFromCopies()) {
                    history.saw(seenNow.record(), began);
                } else if (seenNow.record().status().finished()) {
                    history.heard(seenNow.record());
                }
            }
        }

        /**
         * Makes a random change. A thread may make every change with its own tickets. With those of others it can only
         * mark as unknown and settle.
         */
        private void update(RecordId id, String text) {
            Ticket own = last(tickets);
            StoredRecord seen = last(sights);
            boolean others = own == null || random.nextInt(4) == 0;
            Ticket used =
                    others && seen != null ? seen.ticket() : own != null ? own : new Ticket(id, UUID.randomUUID(), 1);
            Change change = change(others ? 5 + random.nextInt(2) : random.nextInt(7), others, text);
            long began = history.now();
            history.updated(used, change, store.update(used, change), began);
        }

        private Change change(int which, boolean others, String text) {
            ResultPayload payload = new ResultPayload(ResultPayload.Kind.VALUE, "text", 1, null, text.getBytes(UTF_8));
            RetentionPeriod keep = RetentionPeriod.of(time());
            return switch (which) {
                case 0, 1 -> new Change.Complete(payload, keep);
                case 2 -> new Change.Fail(payload, keep);
                case 3 -> new Change.Release(keep);
                case 4 -> new Change.Renew(time());
                case 5 -> new Change.MarkUnknown(payload, others);
                default -> {
                    Status to = ENDS[random.nextInt(ENDS.length)];
                    yield new Change.Settle(
                            UUID.randomUUID(), to, to == Status.FREE ? null : payload, keep, random.nextBoolean());
                }
            };
        }

        private void look(RecordId id) {
            long began = history.now();
            RecordSnapshot seen = store.find(id);
            if (seen != null) {
                history.saw(seen.record(), began);
                sights.add(seen.record());
            }
        }

        /** Mostly the last, sometimes any. */
        private <T> @Nullable T last(List<T> known) {
            if (known.isEmpty()) {
                return null;
            }
            return random.nextInt(4) > 0 ? known.get(known.size() - 1) : known.get(random.nextInt(known.size()));
        }

        private Duration time() {
            return random.nextInt(3) == 0
                    ? Duration.ofHours(1)
                    : Duration.ofNanos(1_000L * (1 + random.nextInt(3_000)));
        }
    }
}
