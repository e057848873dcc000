package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onefold.redis.AddResult.Added;
import io.onefold.redis.AddResult.AlreadyAdded;
import io.onefold.redis.AddResult.AmountDiffers;
import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import io.onefold.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RedisCounterTest {
    private static final int THREADS = 64;
    private static final RedisEffects EFFECTS =
            RedisEffects.on(RedisConnections.at(RedisServer.shared().uri()));

    private final String name = "clicks-" + UUID.randomUUID();
    private final RedisCounter counter = EFFECTS.counter(name);

    private String cause(String id) {
        return "onefold:counter:{" + name + "}:cause:" + id;
    }

    @Test
    void a_cause_adds_once_and_every_repetition_hears_what_the_first_heard() {
        assertThat(counter.value()).isZero();
        assertThat(counter.add("event-1", 5)).isEqualTo(new Added(5));
        assertThat(counter.add("event-2", -7)).isEqualTo(new Added(-2));
        assertThat(counter.add("event-1", 5)).isEqualTo(new AlreadyAdded(5));
        assertThat(counter.add("event-2", -7)).isEqualTo(new AlreadyAdded(-2));
        assertThat(counter.value()).isEqualTo(-2);
    }

    @Test
    void the_same_cause_with_another_amount_is_a_conflict_and_adds_nothing() {
        assertThat(counter.add("event-1", 5)).isEqualTo(new Added(5));
        assertThat(counter.add("event-1", -5)).isEqualTo(new AmountDiffers(5));
        assertThat(counter.value()).isEqualTo(5);
    }

    @Test
    void of_causes_that_come_many_times_at_once_each_counts_once() {
        List<AddResult> outcomes = Together.call(THREADS, i -> counter.add("event-" + i % 16, 1));
        assertThat(outcomes).filteredOn(Added.class::isInstance).hasSize(16);
        assertThat(outcomes).allMatch(AddResult::done);
        assertThat(counter.value()).isEqualTo(16);
    }

    @Test
    void an_addition_whose_answer_was_lost_is_done_and_was_done_once() {
        try (TcpProxy proxy = TcpProxy.to(RedisServer.shared().port());
                RedisConnections redis = RedisConnections.at("redis://127.0.0.1:" + proxy.port())) {
            RedisCounter far = RedisEffects.on(redis).counter(name);
            assertThat(far.add("so that Redis knows the script", 10)).isEqualTo(new Added(10));
            CompletableFuture<Void> cut =
                    proxy.cutAfterRequestContaining(cause("event-1").getBytes(UTF_8));
            assertThat(far.add("event-1", 3)).isEqualTo(new AlreadyAdded(13));
            assertThat(cut).isCompleted();
            assertThat(counter.value()).isEqualTo(13);
        }
    }

    @Test
    void a_cause_is_remembered_for_a_day_unless_told_otherwise() {
        assertThat(counter.add("event-1", 1)).isEqualTo(new Added(1));
        assertThat(EFFECTS.keepForEver().counter(name).add("event-2", 1)).isEqualTo(new Added(2));
        assertThat(Duration.ofMillis(Long.parseLong(RedisServer.shared().command("PTTL", cause("event-1")))))
                .isBetween(Duration.ofHours(23), Duration.ofHours(24));
        assertThat(RedisServer.shared().command("PTTL", cause("event-2"))).isEqualTo("-1");
    }

    @Test
    void an_overflow_adds_nothing_and_notes_nothing() {
        assertThat(counter.add("event-1", Long.MAX_VALUE)).isEqualTo(new Added(Long.MAX_VALUE));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> counter.add("event-2", 1))
                .withMessageContaining("overflow");
        assertThat(counter.add("event-2", -1)).isEqualTo(new Added(Long.MAX_VALUE - 1));
    }

    @Test
    void what_makes_no_sense_is_refused_with_its_value() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> counter.add("event-1", 0))
                .withMessageContaining("0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> counter.add("  ", 1))
                .withMessageContaining("cause")
                .withMessageContaining("\"  \"");
        assertThatIllegalArgumentException().isThrownBy(() -> EFFECTS.counter(""));
    }
}
