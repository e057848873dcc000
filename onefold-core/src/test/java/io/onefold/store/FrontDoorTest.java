package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.Key;
import io.onefold.ManualTimer;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A front that fails, and a truth that is exchanged, while nodes run. */
class FrontDoorTest {
    private static final Operation<String> CHARGE =
            Operation.of("charge", String.class).waitFor(Duration.ZERO);
    private static final Key KEY = Key.of("k").matching("a");

    private final ManualTimer timer = new ManualTimer();
    private final CountedStore front = new CountedStore(new MemoryStore(timer::micros));
    private final CountedStore truth = new CountedStore(new MemoryStore(timer::micros));
    private final TieredStore door = door();
    private final Onefold onefold = node(door);
    private volatile @Nullable String epoch = "e1";

    private TieredStore door() {
        epoch = "e1";
        return TieredStore.over(front, truth, this::epoch, timer::nanos);
    }

    private String epoch() {
        String read = epoch;
        if (read == null) {
            throw new StoreException("not now");
        }
        return read;
    }

    private Onefold node(Store store) {
        return Onefold.builder(store).timer(timer).executor(Runnable::run).build();
    }

    private Outcome<String> ask(Onefold node, String work) {
        return node.attempt(CHARGE, KEY, attempt -> work);
    }

    /** How many steps of the truth the call takes. */
    private int steps(Runnable call) {
        int before = truth.steps.get();
        call.run();
        return truth.steps.get() - before;
    }

    private void replays(String value) {
        assertThat(ask(onefold, "twice")).isEqualTo(new Outcome.Replayed<>(value, true));
    }

    @Test
    void a_front_that_fails_is_left_alone_for_a_while_and_asked_again_later() {
        front.failing = true;
        assertThat(ask(onefold, "once")).isEqualTo(new Outcome.Executed<>("once", true));
        assertThat(front.steps).hasValue(1);
        replays("once");
        assertThat(front.steps).hasValue(1);
        front.failing = false;
        timer.pass(Duration.ofSeconds(1));
        replays("once");
        assertThat(steps(() -> replays("once"))).as("the front knows it again").isZero();
    }

    @Test
    void claims_whose_owners_were_lost_are_not_held_for_longer_than_their_leases() {
        Duration lease = Duration.ofSeconds(30);
        for (int second = 0; second < 300; second++) {
            for (int i = 0; i < 10; i++) {
                claim("lost-" + second + "-" + i, lease);
            }
            timer.pass(Duration.ofSeconds(1));
        }
        assertThat(door.ownClaims()).isLessThanOrEqualTo(10 * (30 + 2));
        timer.pass(lease);
        claim("the next", lease);
        assertThat(door.ownClaims()).isEqualTo(1);
    }

    @Test
    void a_claim_that_is_renewed_is_held_and_its_end_is_copied_without_another_look() {
        Duration lease = Duration.ofSeconds(30);
        Ticket owner = claim("long", lease);
        for (int i = 0; i < 10; i++) {
            timer.pass(Duration.ofSeconds(20));
            claim("other-" + i, lease);
            assertThat(door.update(owner, new Change.Renew(lease))).isEqualTo(UpdateResult.APPLIED);
        }
        assertThat(steps(() -> complete(owner))).isEqualTo(1);
        assertThat(steps(() -> assertThat(door.claim(Claim.of(owner.id(), UUID.randomUUID(), lease)))
                        .isInstanceOf(RecordSnapshot.class)))
                .as("the front knows it")
                .isZero();
    }

    @Test
    void the_end_of_a_claim_that_is_not_held_any_more_is_read_again_and_copied() {
        Duration lease = Duration.ofSeconds(30);
        Ticket late = claim("late", lease);
        timer.pass(lease.multipliedBy(2));
        claim("other", lease);
        assertThat(door.ownClaims()).isEqualTo(1);
        assertThat(steps(() -> complete(late))).isEqualTo(2);
        assertThat(steps(() -> assertThat(door.claim(Claim.of(late.id(), UUID.randomUUID(), lease)))
                        .isInstanceOf(RecordSnapshot.class)))
                .as("the front knows it")
                .isZero();
    }

    private Ticket claim(String key, Duration lease) {
        Claim claim = Claim.of(RecordId.of("", "charge", key), UUID.randomUUID(), lease);
        return new Ticket(claim.id(), claim.owner(), ((ClaimResult.Acquired) door.claim(claim)).fence());
    }

    private void complete(Ticket owner) {
        ResultPayload done = new ResultPayload(ResultPayload.Kind.NOTHING, "", 0, null, new byte[0]);
        assertThat(door.update(owner, new Change.Complete(done, RetentionPeriod.of(Duration.ofHours(1)))))
                .isEqualTo(UpdateResult.APPLIED);
    }

    @Test
    void a_key_whose_record_the_front_cannot_read_is_asked_of_the_truth_and_shuts_nobody_out() {
        ask(onefold, "once");
        Key unreadable = Key.of("unreadable");
        for (int i = 0; i < 3; i++) {
            front.before = () -> {
                throw new UnreadableRecordException("written by a later version");
            };
            assertThat(onefold.run(CHARGE, unreadable, attempt -> "done")).isEqualTo("done");
            assertThat(steps(() -> replays("once")))
                    .as("the front answers others")
                    .isZero();
        }
        assertThat(door.health().shuts()).isZero();
    }

    @Test
    void while_one_waits_for_a_front_that_hangs_the_others_are_answered_by_the_truth() {
        ask(onefold, "once");
        front.failing = true;
        replays("once");
        front.failing = false;
        timer.pass(Duration.ofSeconds(1));
        front.before = () -> {
            timer.pass(Duration.ofSeconds(5));
            for (int i = 0; i < 100; i++) {
                replays("once");
            }
            throw new StoreException("timed out");
        };
        int before = front.steps.get();
        replays("once");
        assertThat(front.steps).hasValue(before + 1);
    }

    @Test
    void a_front_that_was_flushed_is_filled_again_by_the_first_who_asks() {
        ask(onefold, "once");
        front.store = new MemoryStore(timer::micros);
        assertThat(steps(() -> replays("once"))).isEqualTo(1);
        assertThat(steps(() -> replays("once"))).isZero();
    }

    @Test
    void a_truth_that_was_exchanged_is_noticed_within_a_second() {
        ask(onefold, "first");
        truth.store = new MemoryStore(timer::micros);
        replays("first");
        epoch = "e2";
        timer.pass(Duration.ofSeconds(1));
        assertThat(ask(onefold, "second")).isEqualTo(new Outcome.Executed<>("second", true));
        assertThat(steps(() -> replays("second"))).isZero();
        assertThat(door.health().epochs()).isEqualTo(1);
    }

    @Test
    void a_truth_that_has_failed_is_looked_at_before_the_front_is_trusted() {
        ask(onefold, "first");
        truth.failing = true;
        assertThatThrownBy(() -> door.find(RecordId.of("", "op", "k"))).isInstanceOf(StoreException.class);
        truth.failing = false;
        truth.store = new MemoryStore(timer::micros);
        epoch = "e2";
        assertThat(ask(onefold, "second")).isEqualTo(new Outcome.Executed<>("second", true));
    }

    static Stream<Change> changes() {
        return Stream.of(
                new Change.Release(RetentionPeriod.of(Duration.ofHours(1))),
                new Change.Renew(Duration.ofSeconds(30)),
                new Change.SaveCheckpoint(new byte[] {1}));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void a_failed_item_of_a_batch_is_a_failure_of_the_truth(Change change) {
        ask(onefold, "first");
        truth.store = new Refusing(truth.store);
        Ticket ticket = new Ticket(RecordId.of("", "op", "other"), new UUID(1, 2), 3);
        assertThatThrownBy(() -> door.update(ticket, change)).isInstanceOf(StoreException.class);
        truth.store = new MemoryStore(timer::micros);
        epoch = "e2";
        assertThat(ask(onefold, "second")).isEqualTo(new Outcome.Executed<>("second", true));
    }

    @Test
    void what_the_old_truth_has_recorded_is_not_filed_under_the_new_epoch() {
        CompletableFuture<String> running = new CompletableFuture<>();
        var owner = onefold.attemptAsync(CHARGE, KEY, attempt -> running);
        truth.after = () -> {
            // recorded, but lost when the truth failed over; another caller reads the new epoch first
            truth.store = new MemoryStore(timer::micros);
            epoch = "e2";
            timer.pass(Duration.ofSeconds(1));
            onefold.attempt(CHARGE, Key.of("other"), attempt -> "other");
        };
        running.complete("first");
        assertThat(owner).isCompletedWithValue(new Outcome.Executed<>("first", true));
        assertThat(door.health().epochs()).isEqualTo(1);
        assertThat(ask(onefold, "second")).isEqualTo(new Outcome.Executed<>("second", true));
    }

    @Test
    void while_the_epoch_cannot_be_read_the_truth_alone_answers() {
        ask(onefold, "first");
        truth.store = new MemoryStore(timer::micros);
        epoch = null;
        timer.pass(Duration.ofSeconds(1));
        assertThat(ask(onefold, "second")).isEqualTo(new Outcome.Executed<>("second", true));
        assertThat(door.health().open()).isFalse();
        assertThat(steps(() -> replays("second"))).isEqualTo(1);
        epoch = "e2";
        timer.pass(Duration.ofSeconds(1));
        replays("second");
        assertThat(door.health().open()).isTrue();
        assertThat(steps(() -> replays("second"))).isZero();
    }

    @Test
    void a_door_opens_without_its_front_if_the_epoch_cannot_be_read_at_first() {
        epoch = null;
        Onefold other = node(TieredStore.over(front, truth, this::epoch, timer::nanos));
        assertThat(ask(other, "once")).isEqualTo(new Outcome.Executed<>("once", true));
        assertThat(front.steps).hasValue(0);
    }

    @Test
    void its_health_is_counted() {
        assertThat(door.health()).isEqualTo(new TieredStore.CacheHealth(true, 0, 0, 0, 0, 0));
        ask(onefold, "once");
        replays("once");
        replays("once");
        assertThat(door.health()).isEqualTo(new TieredStore.CacheHealth(true, 0, 0, 2, 1, 0));
        front.failing = true;
        replays("once");
        replays("once");
        TieredStore.CacheHealth health = door.health();
        assertThat(health.open()).isFalse();
        assertThat(health.shuts()).isEqualTo(1);
        assertThat(health.hits()).isEqualTo(2);
        assertThat(health.misses()).isEqualTo(3);
        assertThat(health.past()).as("two copies and a claim").isEqualTo(3);
    }

    /** Fails each item, not the whole. */
    private static final class Refusing implements Store {
        private final Store store;

        Refusing(Store store) {
            this.store = store;
        }

        @Override
        public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
            return store.claimAll(claims);
        }

        @Override
        public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
            return updates.stream()
                    .map(update -> BatchItemResult.<UpdateResult>failed(new StoreException("not now")))
                    .toList();
        }

        @Override
        public @Nullable RecordSnapshot find(RecordId id) {
            return store.find(id);
        }

        @Override
        public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
            return store.list(filter, cursor, limit);
        }

        @Override
        public int sweep(int limit) {
            return store.sweep(limit);
        }
    }
}
