package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.redis.DeductResult.AlreadyDeducted;
import io.onefold.redis.DeductResult.Deducted;
import io.onefold.redis.DeductResult.TooFew;
import io.onefold.servers.RedisServer;
import io.onefold.servers.TcpProxy;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many at once, and answers that are lost. */
class RedisStockRaceTest {
    private static final int THREADS = 64;
    private static final RedisConnections REDIS =
            RedisConnections.at(RedisServer.shared().uri());

    private final String sku = "sku-" + UUID.randomUUID();
    private final RedisStock stock = RedisEffects.on(REDIS).stock(sku);

    @BeforeEach
    void fill() {
        assertThat(stock.add("first delivery", 10)).isEqualTo(new AddResult.Added(10));
    }

    private String order(String id) {
        return "onefold:stock:{" + sku + "}:order:" + id;
    }

    @Test
    void of_many_orders_at_once_as_many_are_served_as_there_is_and_never_more() {
        List<DeductResult> outcomes = Together.call(THREADS, i -> stock.deduct("order-" + i, 3));
        assertThat(outcomes).filteredOn(DeductResult::done).hasSize(3);
        assertThat(outcomes).filteredOn(outcome -> !outcome.done()).allMatch(TooFew.class::isInstance);
        assertThat(stock.left()).isEqualTo(1);
    }

    @Test
    void of_one_order_sent_many_times_at_once_one_takes() {
        List<DeductResult> outcomes = Together.call(THREADS, i -> stock.deduct("order-1", 3));
        assertThat(outcomes).filteredOn(new Deducted(7)::equals).hasSize(1);
        assertThat(outcomes).filteredOn(new AlreadyDeducted(7)::equals).hasSize(THREADS - 1);
        assertThat(stock.left()).isEqualTo(7);
    }

    @Test
    void orders_and_their_cancellations_at_once_leave_what_they_found() {
        List<Object> outcomes = Together.call(
                THREADS, i -> i % 2 == 0 ? stock.deduct("order-" + i / 8, 2) : stock.giveBack("order-" + i / 8));
        assertThat(outcomes).hasSize(THREADS);
        assertThat(stock.left()).isEqualTo(10);
    }

    @Test
    void a_deduction_whose_answer_was_lost_is_done_and_was_done_once() {
        try (TcpProxy proxy = TcpProxy.to(RedisServer.shared().port());
                RedisConnections redis = RedisConnections.at("redis://127.0.0.1:" + proxy.port())) {
            RedisStock far = RedisEffects.on(redis).stock(sku);
            assertThat(far.deduct("so that Redis knows the script", 1)).isEqualTo(new Deducted(9));
            assertThat(far.giveBack("so that Redis knows the script")).isEqualTo(new GiveBackResult.GivenBack(1, 10));
            CompletableFuture<Void> cut =
                    proxy.cutAfterRequestContaining(order("order-1").getBytes(UTF_8));
            assertThat(far.deduct("order-1", 3)).isEqualTo(new AlreadyDeducted(7));
            assertThat(cut).isCompleted();
            assertThat(stock.left()).isEqualTo(7);
            cut = proxy.cutAfterRequestContaining(order("order-1").getBytes(UTF_8));
            assertThat(far.giveBack("order-1")).isEqualTo(new GiveBackResult.AlreadyGivenBack(3, 10));
            assertThat(cut).isCompleted();
            assertThat(stock.left()).isEqualTo(10);
        }
    }
}
