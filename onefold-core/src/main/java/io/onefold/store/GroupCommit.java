package io.onefold.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls that come at once share a trip to the store. While few are under way, each goes on its own, without queue or hand-over.
 * From then on calls queue up, and whoever finds a lane free takes along everyone who waits; when it is back, it hands the lane to
 * the first of those who came meanwhile. So a trip grows with the load, and an idle store answers as fast as without.
 *
 * <p>A trip holds one call for a record at most: a second one waits for the next. Only claims on what is absent ride along with each
 * other, for they all meet the same record, unless one of them has won: then the others go again. A call that has gone on its trip waits for the
 * answer, interrupted or not, since the store may act on it; one that was never sent may give up.
 */
public final class GroupCommit {
    /** Calls of a trip, no two for one record; answers in order. */
    @FunctionalInterface
    public interface BatchSender {
        BatchResults trip(List<Claim> claims, List<RecordUpdate> updates);
    }

    /** An answer for each claim and each update, in order. */
    public record BatchResults(
            List<BatchItemResult<ClaimResult>> claims, List<BatchItemResult<UpdateResult>> updates) {}

    private final BatchSender exchange;
    private final int direct;
    private final int lanes;
    private final int most;
    private final long patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<QueuedCall<?>> queue = new ArrayDeque<>();
    private int underWay;
    private int busyLanes;

    /**
     * @param direct how many calls may be under way on their own
     * @param lanes how many trips may be under way at once
     * @param most calls of one trip
     * @param patience how long a call may wait to be sent
     */
    public GroupCommit(BatchSender exchange, int direct, int lanes, int most, Duration patience) {
        if (direct < 0 || lanes < 1 || most < 1) {
            throw new IllegalArgumentException("a combiner needs direct >= 0, lanes >= 1 and most >= 1, not " + direct
                    + ", " + lanes + ", " + most);
        }
        this.exchange = exchange;
        this.direct = direct;
        this.lanes = lanes;
        this.most = most;
        this.patience = patience.toNanos();
    }

    public ClaimResult claim(Claim claim) {
        return call(new QueuedCall<>(claim.id(), claim, null, BatchResults::claims));
    }

    public UpdateResult update(Ticket ticket, Change change) {
        return call(new QueuedCall<>(ticket.id(), null, new RecordUpdate(ticket, change), BatchResults::updates));
    }

    /** Returns how many calls wait to be sent. */
    int queued() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    private <T> T call(QueuedCall<T> call) {
        boolean alone;
        boolean leads;
        lock.lock();
        try {
            alone = underWay < direct && busyLanes == 0;
            leads = !alone && busyLanes < lanes;
            if (alone) {
                underWay++;
            } else if (leads) {
                busyLanes++;
            } else {
                queue.add(call);
            }
        } finally {
            lock.unlock();
        }
        if (alone) {
            alone(call);
        } else if (leads || follow(call)) {
            lead(call);
        }
        return call.answer();
    }

    private void alone(QueuedCall<?> call) {
        send(List.of(call));
        lock.lock();
        try {
            underWay--;
        } finally {
            lock.unlock();
        }
    }

    private void lead(QueuedCall<?> own) {
        send(gather(own));
        QueuedCall<?> next;
        lock.lock();
        try {
            next = queue.poll();
            busyLanes -= next == null ? 1 : 0;
        } finally {
            lock.unlock();
        }
        if (next != null) {
            next.lead();
        }
    }

    /** The leader's own call, then those who wait, in their order. */
    private List<QueuedCall<?>> gather(QueuedCall<?> own) {
        Map<RecordId, QueuedCall<?>> trip = new LinkedHashMap<>();
        trip.put(own.id, own);
        lock.lock();
        try {
            for (Iterator<QueuedCall<?>> waiting = queue.iterator(); waiting.hasNext() && trip.size() < most; ) {
                QueuedCall<?> call = waiting.next();
                QueuedCall<?> before = trip.putIfAbsent(call.id, call);
                if (before == null || before.carries(call)) {
                    waiting.remove();
                }
            }
        } finally {
            lock.unlock();
        }
        return List.copyOf(trip.values());
    }

    /** Sleeps until the call is answered, gives up, or has to lead: then it returns true. */
    private boolean follow(QueuedCall<?> call) {
        boolean interrupted = false;
        boolean sent = false;
        while (true) {
            try {
                if (sent) {
                    call.woken.await();
                    break;
                }
                if (call.woken.await(patience, TimeUnit.NANOSECONDS) || withdrawn(call)) {
                    break;
                }
                sent = true;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return call.leads;
    }

    /**
     * Removes a call that still waits in the queue, and so was not sent, and fails it. Returns false if it no longer
     * waits.
     */
    private boolean withdrawn(QueuedCall<?> call) {
        lock.lock();
        try {
            if (!queue.remove(call)) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        call.end(BatchItemResult.failed(
                new StoreException("not sent: the store was busy for " + Duration.ofNanos(patience))));
        return true;
    }

    /** A pool or a driver may refuse to serve a thread that is interrupted, and others travel along: it is told later. */
    private void send(List<? extends QueuedCall<?>> trip) {
        boolean interrupted = Thread.interrupted();
        try {
            exchange(trip);
        } catch (RuntimeException | Error e) {
            RuntimeException told =
                    e instanceof RuntimeException known ? known : new StoreException("a trip failed", e);
            trip.forEach(call -> call.fail(told));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void exchange(List<? extends QueuedCall<?>> trip) {
        List<Claim> claims = new ArrayList<>(trip.size());
        List<RecordUpdate> updates = new ArrayList<>(trip.size());
        for (QueuedCall<?> call : trip) {
            if (call.claim != null) {
                claims.add(call.claim);
            } else {
                updates.add(Objects.requireNonNull(call.update));
            }
        }
        BatchResults replies = exchange.trip(claims, updates);
        int claim = 0;
        int update = 0;
        List<QueuedCall<?>> again = new ArrayList<>();
        for (QueuedCall<?> call : trip) {
            call.take(replies, call.claim != null ? claim++ : update++, again);
        }
        if (!again.isEmpty()) {
            lock.lock();
            try {
                again.forEach(queue::addFirst);
            } finally {
                lock.unlock();
            }
        }
    }

    /** One call, from its caller's arrival to its answer. */
    private static final class QueuedCall<T> {
        final RecordId id;
        final @Nullable Claim claim;
        final @Nullable RecordUpdate update;
        final CountDownLatch woken = new CountDownLatch(1);
        private final Function<BatchResults, List<BatchItemResult<T>>> own;
        private final List<QueuedCall<?>> riders = new ArrayList<>(0);
        private volatile @Nullable BatchItemResult<T> answer;
        volatile boolean leads;

        QueuedCall(
                RecordId id,
                @Nullable Claim claim,
                @Nullable RecordUpdate update,
                Function<BatchResults, List<BatchItemResult<T>>> own) {
            this.id = id;
            this.claim = claim;
            this.update = update;
            this.own = own;
        }

        /** Takes along another claim on what is absent, if this is one, too. */
        boolean carries(QueuedCall<?> call) {
            boolean alike = claim != null && claim.take() == null && call.claim != null && call.claim.take() == null;
            if (alike) {
                riders.add(call);
            }
            return alike;
        }

        void take(BatchResults replies, int place, List<QueuedCall<?>> again) {
            BatchItemResult<T> answered = own.apply(replies).get(place);
            for (QueuedCall<?> rider : riders) {
                if (!rider.sees(replies.claims().get(place))) {
                    again.add(rider);
                }
            }
            end(answered);
        }

        /**
         * Ends this claim with the record that another claim for the same id has just found, because this one would
         * have found it as well, and returns true. It does not do so if the record is this claim's own, from a trip
         * whose answer was lost: only the store can tell if that claim still holds.
         */
        @SuppressWarnings("unchecked") // a rider is a claim
        private boolean sees(BatchItemResult<ClaimResult> met) {
            if (!met.succeeded()
                    || !(met.get() instanceof RecordSnapshot seen)
                    || seen.record()
                            .owner()
                            .equals(Objects.requireNonNull(claim).owner())) {
                return false;
            }
            ((QueuedCall<ClaimResult>) this).end(BatchItemResult.from(() -> {
                id.requireSame(seen.record().id());
                return seen;
            }));
            return true;
        }

        /** Answers those who have no answer yet. */
        void fail(RuntimeException failure) {
            riders.forEach(rider -> rider.fail(failure));
            if (answer == null) {
                end(BatchItemResult.failed(failure));
            }
        }

        void end(BatchItemResult<T> with) {
            answer = with;
            woken.countDown();
        }

        void lead() {
            leads = true;
            woken.countDown();
        }

        T answer() {
            return Objects.requireNonNull(answer, "a call ended without an answer")
                    .get();
        }
    }
}
