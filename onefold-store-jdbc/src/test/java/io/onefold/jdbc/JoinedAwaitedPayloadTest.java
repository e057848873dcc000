package io.onefold.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.WorkNotStartedException;
import io.onefold.store.ForwardingStore;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import io.onefold.store.Store;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Joined calls hear of a failure only if the work was begun and had the same payload. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("whereWaitingIsOnefolds")
class JoinedAwaitedPayloadTest extends JoinedCases {
    private static final Operation<String> SHARING =
            REPEATED.waitFor(Duration.ofSeconds(60)).waitersShareFailure();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    final void end() {
        goOn.countDown();
        threads.shutdown();
    }

    /** A node, and how many wait at it. */
    private static final class Node extends ForwardingStore implements RecordSignals {
        private final AtomicInteger waiting = new AtomicInteger();
        final Onefold onefold = Onefold.on(this);

        Node(Store behind) {
            super(behind);
        }

        @Override
        public RecordSignals signals() {
            return this;
        }

        @Override
        public Subscription subscribe(RecordId id, Runnable wake) {
            waiting.incrementAndGet();
            return waiting::decrementAndGet;
        }

        @Override
        public void publish(RecordId id) {}
    }

    private Node node() {
        return new Node(JdbcStore.of(pool));
    }

    private Key one() {
        return key().matching("one");
    }

    /** A call whose work throws as soon as it may. */
    private Future<Outcome<String>> failing(Node node, Exception failure) throws InterruptedException {
        Future<Outcome<String>> call =
                threads.submit(() -> node.onefold.attemptInTransaction(SHARING, one(), (attempt, connection) -> {
                    post(connection, "lost");
                    runs.incrementAndGet();
                    entered.countDown();
                    goOn.await();
                    throw failure;
                }));
        entered.await();
        return call;
    }

    private Future<Outcome<String>> waiting(Node node, Key key) throws Exception {
        Future<Outcome<String>> call =
                threads.submit(() -> node.onefold.attemptInTransaction(SHARING, key, (attempt, connection) -> {
                    runs.incrementAndGet();
                    return post(connection, "ran");
                }));
        Await.until("the call waits", () -> node.waiting.get() == 1 || call.isDone());
        assertThat(call).isNotDone();
        return call;
    }

    private void fails(Future<Outcome<String>> call, Exception failure) {
        goOn.countDown();
        assertThatThrownBy(call::get).hasCause(failure);
    }

    @Test
    void a_waiter_runs_if_the_work_was_not_begun() throws Exception {
        Node node = node();
        WorkNotStartedException failure = new WorkNotStartedException("refused", null);
        Future<Outcome<String>> owner = failing(node, failure);
        Future<Outcome<String>> waiter = waiting(node, one());
        fails(owner, failure);
        assertThat(waiter.get()).isEqualTo(new Outcome.Executed<>("ran", true));
        assertThat(posted()).isEqualTo(1);
    }

    /** No record says before the end what a transaction is at work on: who waits for it may bring another payload. */
    @Test
    void a_waiter_with_another_payload_does_not_hear_the_failure() throws Exception {
        Node node = node();
        IllegalStateException failure = new IllegalStateException("of another payload");
        Future<Outcome<String>> owner = failing(node, failure);
        Future<Outcome<String>> waiter = waiting(node, key().matching("two"));
        fails(owner, failure);
        conflictsOrRuns(waiter);
    }

    @Test
    void a_waiter_with_another_payload_on_another_node_does_not_hear_of_the_failure() throws Exception {
        IllegalStateException failure = new IllegalStateException("of another payload");
        Future<Outcome<String>> owner = failing(node(), failure);
        Future<Outcome<String>> waiter = waiting(node(), key().matching("two"));
        fails(owner, failure);
        conflictsOrRuns(waiter);
    }

    /** Whichever comes first: the failure is counted after the rollback, and a call that comes in between finds no record. */
    private void conflictsOrRuns(Future<Outcome<String>> waiter) throws Exception {
        Outcome<String> outcome = waiter.get();
        if (outcome instanceof Outcome.Conflict) {
            assertThat(posted()).isZero();
        } else {
            assertThat(outcome).isEqualTo(new Outcome.Executed<>("ran", true));
            assertThat(posted()).isEqualTo(1);
        }
    }
}
