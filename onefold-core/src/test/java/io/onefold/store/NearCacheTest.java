package io.onefold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onefold.ManualTimer;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is cached, and for how long. */
class NearCacheTest {
    private static final RecordId ID = RecordId.of("tenant", "op", "key");
    private static final ResultPayload RESULT =
            new ResultPayload(ResultPayload.Kind.NOTHING, "json", 1, null, new byte[0]);

    private final ManualTimer timer = new ManualTimer();
    private final MemoryStore behind = new MemoryStore(timer::micros);
    private final NearCache cache = NearCache.over(behind, 8, timer::nanos);

    private static Claim claim(RecordId id) {
        return Claim.of(id, UUID.randomUUID(), Duration.ofSeconds(30));
    }

    private void finish(RecordId id, Duration keep) {
        Claim claim = claim(id);
        ClaimResult.Acquired won = (ClaimResult.Acquired) cache.claim(claim);
        cache.update(new Ticket(id, claim.owner(), won.fence()), new Change.Complete(RESULT, RetentionPeriod.of(keep)));
        assertThat(cache.claim(claim(id))).isInstanceOf(RecordSnapshot.class);
    }

    /** Whether the cache answers for a record that the store has lost. */
    private boolean answersAlone(Claim claim) {
        assertThat(behind.find(claim.id())).isNull();
        return cache.claim(claim) instanceof RecordSnapshot;
    }

    private void lose(Duration after) {
        timer.pass(after);
        behind.sweep(10);
    }

    @Test
    void a_finished_record_is_answered_for_ten_seconds_at_most() {
        finish(ID, Duration.ofMillis(10_500));
        timer.pass(Duration.ofMillis(9_999));
        assertThat(cache.claim(claim(ID)))
                .isInstanceOfSatisfying(
                        RecordSnapshot.class, seen -> assertThat(seen.now()).isEqualTo(timer.micros()));
        lose(Duration.ofMillis(501));
        assertThat(answersAlone(claim(ID)))
                .as("after ten seconds the store is asked")
                .isFalse();
    }

    @Test
    void no_record_is_answered_beyond_its_keep() {
        finish(ID, Duration.ofSeconds(2));
        lose(Duration.ofSeconds(2));
        assertThat(answersAlone(claim(ID))).isFalse();
    }

    @Test
    void what_is_in_progress_and_what_may_be_overwritten_is_always_asked_for() {
        Claim owner = claim(ID);
        ClaimResult.Acquired won = (ClaimResult.Acquired) cache.claim(owner);
        assertThat(cache.claim(claim(ID))).isInstanceOf(RecordSnapshot.class);
        behind.update(
                new Ticket(ID, owner.owner(), won.fence()),
                new Change.Complete(RESULT, RetentionPeriod.of(Duration.ofHours(1))));
        RecordSnapshot seen = (RecordSnapshot) cache.claim(claim(ID));
        assertThat(seen.record().status()).isEqualTo(Status.SUCCESS);
        Claim taking = claim(ID)
                .overwriting()
                .replacing(
                        Takeover.TakeoverReason.OVERWRITE,
                        seen.record(),
                        seen.record().prints().superseded());
        assertThat(cache.claim(taking)).isInstanceOf(ClaimResult.Acquired.class);
        assertThat(Objects.requireNonNull(cache.find(ID)).record().status()).isEqualTo(Status.PROCESSING);
        assertThat(cache.claim(claim(ID).overwriting()))
                .isInstanceOfSatisfying(
                        RecordSnapshot.class,
                        now -> assertThat(now.record().status()).isEqualTo(Status.PROCESSING));
    }

    @Test
    void a_hit_compares_the_names_too() {
        finish(ID, Duration.ofHours(1));
        RecordId forged = RecordId.stored(ID.high(), ID.low(), "another tenant", "op", "key");
        assertThatThrownBy(() -> cache.claim(claim(forged))).isInstanceOf(IllegalStateException.class);
    }
}
