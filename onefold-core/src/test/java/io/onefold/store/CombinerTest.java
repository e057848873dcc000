package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.store.GroupCommit.BatchResults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CombinerTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final FakeStore store = new FakeStore();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @Test
    void calls_that_come_while_a_trip_is_under_way_share_the_next_one() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        List<Future<ClaimResult>> others = queued(1, 2, 3, combiner);
        store.goOn();
        assertThat(fence(first)).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(fence(others.get(i))).isEqualTo(i + 1);
        }
        assertThat(store.trips).extracting(List::size).containsExactly(1, 3);
    }

    @Test
    void two_calls_for_one_record_never_share_a_trip() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        List<Future<ClaimResult>> others = queued(7, 7, 8, combiner);
        store.goOn();
        assertThat(fence(first)).isZero();
        assertThat(List.of(fence(others.get(0)), fence(others.get(1)), fence(others.get(2))))
                .containsExactly(7L, 7L, 8L);
        assertThat(store.trips).extracting(List::size).containsExactly(1, 2, 1);
    }

    @Test
    void claims_for_one_record_that_is_there_share_one_look_at_it() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        store.there = record(7, new UUID(9, 9));
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        List<Future<ClaimResult>> others = queued(7, 7, 7, combiner);
        store.goOn();
        assertThat(fence(first)).isZero();
        for (Future<ClaimResult> other : others) {
            assertThat(((RecordSnapshot) other.get()).record()).isEqualTo(store.there);
        }
        assertThat(store.trips).extracting(List::size).containsExactly(1, 1);
    }

    @Test
    void a_claim_that_shares_the_look_at_its_own_record_still_recognises_itself() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        store.there = record(7, new UUID(9, 9));
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        Future<ClaimResult> duplicate = threads.submit(() -> combiner.claim(claim(7)));
        store.awaitQueued(combiner, 1);
        // its first claim was written, and the answer lost
        Future<ClaimResult> owner = threads.submit(() -> combiner.claim(Claim.of(id(7), new UUID(9, 9), LONG)));
        store.awaitQueued(combiner, 2);
        store.goOn();
        assertThat(fence(first)).isZero();
        assertThat(duplicate.get()).isInstanceOf(RecordSnapshot.class);
        assertThat(fence(owner)).isEqualTo(77);
    }

    @Test
    void claims_and_changes_travel_together_and_each_gets_its_own_answer() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        Future<UpdateResult> odd = threads.submit(() -> combiner.update(ticket(1), release()));
        store.awaitQueued(combiner, 1);
        Future<ClaimResult> claimed = threads.submit(() -> combiner.claim(claim(2)));
        store.awaitQueued(combiner, 2);
        Future<UpdateResult> even = threads.submit(() -> combiner.update(ticket(4), release()));
        store.awaitQueued(combiner, 3);
        store.goOn();
        assertThat(fence(first)).isZero();
        assertThat(odd.get()).isEqualTo(UpdateResult.LOST);
        assertThat(fence(claimed)).isEqualTo(2);
        assertThat(even.get()).isEqualTo(UpdateResult.APPLIED);
    }

    @Test
    void a_call_that_fails_does_not_fail_those_it_travels_with() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        List<Future<ClaimResult>> others = queued(1, FakeStore.BAD, 3, combiner);
        store.goOn();
        assertThat(fence(first)).isZero();
        assertThat(fence(others.get(0))).isEqualTo(1);
        assertThatThrownBy(() -> others.get(1).get()).hasRootCauseMessage("bad");
        assertThat(fence(others.get(2))).isEqualTo(3);
    }

    @Test
    void a_trip_that_throws_fails_all_who_are_on_it_and_the_lane_goes_on() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        List<Future<ClaimResult>> others = queued(1, FakeStore.FATAL, 3, combiner);
        store.goOn();
        assertThat(fence(first)).isZero();
        for (Future<ClaimResult> other : others) {
            assertThatThrownBy(other::get).hasCauseInstanceOf(StoreException.class);
        }
        assertThat(((ClaimResult.Acquired) combiner.claim(claim(5))).fence()).isEqualTo(5);
    }

    @Test
    void an_error_in_a_trip_leaves_nobody_waiting() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        List<Future<ClaimResult>> others = queued(1, FakeStore.ERROR, 3, combiner);
        store.goOn();
        assertThat(fence(first)).isZero();
        for (Future<ClaimResult> other : others) {
            assertThatThrownBy(other::get).hasRootCauseMessage("error");
        }
        assertThat(((ClaimResult.Acquired) combiner.claim(claim(5))).fence()).isEqualTo(5);
    }

    @Test
    void replies_that_are_too_few_leave_nobody_waiting() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        List<Future<ClaimResult>> others = queued(1, FakeStore.TOO_FEW, 3, combiner);
        store.goOn();
        assertThat(fence(first)).isZero();
        int failed = 0;
        for (Future<ClaimResult> other : others) {
            try {
                other.get();
            } catch (ExecutionException e) {
                failed++;
            }
        }
        assertThat(failed).isPositive();
        assertThat(((ClaimResult.Acquired) combiner.claim(claim(5))).fence()).isEqualTo(5);
    }

    @Test
    void who_is_interrupted_while_queued_gets_its_answer_and_stays_interrupted() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        FutureTask<Boolean> interrupted = claimingFirst(combiner);
        Thread caller = new Thread(interrupted);
        caller.start();
        store.awaitQueued(combiner, 1);
        caller.interrupt();
        store.goOn();
        assertThat(fence(first)).isZero();
        assertThat(interrupted.get()).isTrue();
    }

    @Test
    void a_trip_is_never_made_on_an_interrupted_thread_for_the_sake_of_those_who_travel_along() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, LONG);
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        FutureTask<Boolean> interrupted = claimingFirst(combiner);
        Thread leader = new Thread(interrupted);
        leader.start();
        store.awaitQueued(combiner, 1);
        Future<ClaimResult> other = threads.submit(() -> combiner.claim(claim(2)));
        store.awaitQueued(combiner, 2);
        leader.interrupt();
        store.goOn();
        assertThat(fence(first)).isZero();
        assertThat(fence(other)).isEqualTo(2);
        assertThat(interrupted.get()).isTrue();
        assertThat(store.interruptedTrips).hasValue(0);
    }

    @Test
    void who_was_never_sent_gives_up_and_is_not_sent_later() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, Duration.ofMillis(50));
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        assertThatThrownBy(() -> combiner.claim(claim(1)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not sent");
        store.goOn();
        assertThat(fence(first)).isZero();
        assertThat(((ClaimResult.Acquired) combiner.claim(claim(2))).fence()).isEqualTo(2);
        assertThat(store.trips.stream().flatMap(List::stream)).doesNotContain(claim(1).id());
    }

    @Test
    void who_was_sent_waits_for_its_answer_however_long_it_takes() throws Exception {
        GroupCommit combiner = new GroupCommit(store, 0, 1, 128, Duration.ofMillis(50));
        Future<ClaimResult> first = store.held(() -> combiner.claim(claim(0)));
        assertThatThrownBy(() -> combiner.claim(claim(1))).isInstanceOf(StoreException.class);
        assertThat(first.isDone()).isFalse();
        store.goOn();
        assertThat(fence(first)).isZero();
    }

    @Test
    void few_calls_go_each_on_its_own() {
        GroupCommit combiner = new GroupCommit(store, 8, 1, 128, LONG);
        for (int i = 0; i < 10; i++) {
            assertThat(((ClaimResult.Acquired) combiner.claim(claim(i))).fence())
                    .isEqualTo(i);
        }
        assertThat(store.trips).hasSize(10).allMatch(trip -> trip.size() == 1);
    }

    private List<Future<ClaimResult>> queued(int first, int second, int third, GroupCommit combiner) throws Exception {
        List<Future<ClaimResult>> queued = new ArrayList<>();
        for (int number : new int[] {first, second, third}) {
            queued.add(threads.submit(() -> combiner.claim(claim(number))));
            store.awaitQueued(combiner, queued.size());
        }
        return queued;
    }

    /** Claims record 1, and tells whether the thread is interrupted then. */
    private static FutureTask<Boolean> claimingFirst(GroupCommit combiner) {
        return new FutureTask<>(() -> {
            assertThat(((ClaimResult.Acquired) combiner.claim(claim(1))).fence())
                    .isEqualTo(1);
            return Thread.currentThread().isInterrupted();
        });
    }

    private static long fence(Future<ClaimResult> claimed) throws Exception {
        return ((ClaimResult.Acquired) claimed.get()).fence();
    }

    private static RecordId id(int number) {
        return RecordId.of("", "combined", Integer.toString(number));
    }

    private static Claim claim(int number) {
        return Claim.of(id(number), new UUID(0, number), LONG);
    }

    private static StoredRecord record(int number, UUID owner) {
        return new StoredRecord(
                id(number),
                Status.PROCESSING,
                owner,
                77,
                1,
                new StoredRecord.RecordTimes(0, 0, Long.MAX_VALUE, 0, 0),
                new StoredRecord.RecordFingerprints(null, null, List.of()),
                null,
                null,
                null);
    }

    private static Ticket ticket(int number) {
        return new Ticket(id(number), new UUID(0, number), 0);
    }

    private static Change release() {
        return new Change.Release(RetentionPeriod.of(LONG));
    }

    /** Answers a claim with its number as fence; holds the first trip until it is told to go on. */
    private final class FakeStore implements GroupCommit.BatchSender {
        static final int BAD = 1_001;
        static final int FATAL = 1_002;
        static final int ERROR = 1_003;
        static final int TOO_FEW = 1_004;

        final List<List<RecordId>> trips = new ArrayList<>();
        final AtomicInteger interruptedTrips = new AtomicInteger();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final Semaphore goOn = new Semaphore(0);
        private boolean holds;

        @Nullable
        StoredRecord there;

        <T> Future<T> held(Callable<T> call) throws InterruptedException {
            holds = true;
            Future<T> first = threads.submit(call);
            begun.await();
            return first;
        }

        void goOn() {
            goOn.release();
        }

        void awaitQueued(GroupCommit combiner, int calls) {
            while (combiner.queued() < calls) {
                LockSupport.parkNanos(100_000);
            }
        }

        @Override
        public BatchResults trip(List<Claim> claims, List<RecordUpdate> updates) {
            if (Thread.currentThread().isInterrupted()) {
                interruptedTrips.incrementAndGet();
            }
            List<RecordId> ids = new ArrayList<>();
            claims.forEach(claim -> ids.add(claim.id()));
            updates.forEach(update -> ids.add(update.ticket().id()));
            boolean waits;
            synchronized (trips) {
                trips.add(ids);
                waits = holds && trips.size() == 1;
            }
            if (waits) {
                begun.countDown();
                goOn.acquireUninterruptibly();
            }
            List<BatchItemResult<ClaimResult>> claimed = new ArrayList<>();
            for (Claim claim : claims) {
                int number = (int) claim.owner().getLeastSignificantBits();
                StoredRecord met = there;
                if (met != null && met.id().equals(claim.id())) {
                    boolean own = met.owner().equals(claim.owner());
                    claimed.add(BatchItemResult.of(
                            own ? new ClaimResult.Acquired(met.fence(), 0) : new RecordSnapshot(met, 0)));
                    continue;
                }
                switch (number) {
                    case FATAL -> throw new StoreException("fatal");
                    case ERROR -> throw new AssertionError("error");
                    case TOO_FEW -> {
                        return new BatchResults(List.of(), List.of());
                    }
                    case BAD -> claimed.add(BatchItemResult.failed(new StoreException("bad")));
                    default -> claimed.add(BatchItemResult.of(new ClaimResult.Acquired(number, 0)));
                }
            }
            List<BatchItemResult<UpdateResult>> updated = new ArrayList<>();
            for (RecordUpdate update : updates) {
                boolean odd = update.ticket().owner().getLeastSignificantBits() % 2 == 1;
                updated.add(BatchItemResult.of(odd ? UpdateResult.LOST : UpdateResult.APPLIED));
            }
            return new BatchResults(claimed, updated);
        }
    }
}
