package io.onefold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.onefold.redis.DeductResult.AlreadyDeducted;
import io.onefold.redis.DeductResult.Deducted;
import io.onefold.redis.DeductResult.OrderGivenBack;
import io.onefold.redis.DeductResult.QuantityDiffers;
import io.onefold.redis.DeductResult.TooFew;
import io.onefold.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RedisStockTest {
    private static final RedisConnections REDIS =
            RedisConnections.at(RedisServer.shared().uri());
    private static final RedisEffects EFFECTS = RedisEffects.on(REDIS);

    private final String sku = "sku-" + UUID.randomUUID();
    private final RedisStock stock = filled(EFFECTS, 10);

    private RedisStock filled(RedisEffects effects, long quantity) {
        RedisStock filled = effects.stock(sku);
        assertThat(filled.add("first delivery", quantity)).isEqualTo(new AddResult.Added(quantity));
        return filled;
    }

    private String order(String id) {
        return "onefold:stock:{" + sku + "}:order:" + id;
    }

    @Test
    void an_order_takes_once_and_every_repetition_hears_what_the_first_heard() {
        assertThat(stock.deduct("order-1", 3)).isEqualTo(new Deducted(7));
        assertThat(stock.deduct("order-2", 2)).isEqualTo(new Deducted(5));
        assertThat(stock.deduct("order-1", 3)).isEqualTo(new AlreadyDeducted(7));
        assertThat(stock.left()).isEqualTo(5);
    }

    @Test
    void the_same_order_with_another_quantity_is_a_conflict_and_takes_nothing() {
        assertThat(stock.deduct("order-1", 3)).isEqualTo(new Deducted(7));
        assertThat(stock.deduct("order-1", 4)).isEqualTo(new QuantityDiffers(3));
        assertThat(stock.left()).isEqualTo(7);
    }

    @Test
    void an_order_for_more_than_there_is_takes_nothing_and_may_come_again_after_a_delivery() {
        assertThat(stock.deduct("order-1", 11)).isEqualTo(new TooFew(10));
        assertThat(stock.add("delivery-2", 1)).isEqualTo(new AddResult.Added(11));
        assertThat(stock.deduct("order-1", 11)).isEqualTo(new Deducted(0));
        assertThat(EFFECTS.stock("never filled " + sku).deduct("order-1", 1)).isEqualTo(new TooFew(0));
    }

    @Test
    void what_an_order_took_is_given_back_once_and_the_order_is_over() {
        assertThat(stock.deduct("order-1", 3)).isEqualTo(new Deducted(7));
        assertThat(stock.deduct("order-2", 4)).isEqualTo(new Deducted(3));
        assertThat(stock.giveBack("order-1")).isEqualTo(new GiveBackResult.GivenBack(3, 6));
        assertThat(stock.giveBack("order-1")).isEqualTo(new GiveBackResult.AlreadyGivenBack(3, 6));
        assertThat(stock.left()).isEqualTo(6);
        assertThat(stock.deduct("order-1", 3)).isEqualTo(new OrderGivenBack(3));
        assertThat(stock.left()).isEqualTo(6);
    }

    @Test
    void a_cancellation_that_overtakes_its_order_gives_nothing_and_keeps_the_order_out() {
        assertThat(stock.giveBack("order-1")).isEqualTo(new GiveBackResult.NothingTaken());
        assertThat(stock.giveBack("order-1")).isEqualTo(new GiveBackResult.NothingTaken());
        assertThat(stock.deduct("order-1", 3)).isEqualTo(new OrderGivenBack(0));
        assertThat(stock.left()).isEqualTo(10);
    }

    @Test
    void a_delivery_and_a_count_take_effect_once() {
        assertThat(stock.add("delivery-2", 5)).isEqualTo(new AddResult.Added(15));
        assertThat(stock.deduct("order-1", 1)).isEqualTo(new Deducted(14));
        assertThat(stock.add("delivery-2", 5)).isEqualTo(new AddResult.AlreadyAdded(15));
        assertThat(stock.add("delivery-2", 6)).isEqualTo(new AddResult.AmountDiffers(5));
        assertThat(stock.set("count-1", 3)).isEqualTo(new AddResult.Added(3));
        assertThat(stock.deduct("order-2", 2)).isEqualTo(new Deducted(1));
        assertThat(stock.set("count-1", 3)).isEqualTo(new AddResult.AlreadyAdded(3));
        assertThat(stock.add("count-1", 3)).isEqualTo(new AddResult.AmountDiffers(3));
        assertThat(stock.left()).isEqualTo(1);
    }

    @Test
    void large_numbers_lose_no_digit() {
        RedisStock large = EFFECTS.stock("large " + sku);
        assertThat(large.set("count-1", RedisStock.MOST)).isEqualTo(new AddResult.Added(9007199254740991L));
        assertThat(large.add("delivery-1", RedisStock.MOST)).isEqualTo(new AddResult.Added(18014398509481982L));
        assertThat(large.deduct("order-1", 1)).isEqualTo(new Deducted(18014398509481981L));
        assertThat(large.deduct("order-1", 1)).isEqualTo(new AlreadyDeducted(18014398509481981L));
        assertThat(large.giveBack("order-1")).isEqualTo(new GiveBackResult.GivenBack(1, 18014398509481982L));
    }

    @Test
    void an_order_is_remembered_for_a_day_unless_told_otherwise() {
        assertThat(stock.deduct("order-1", 1).done()).isTrue();
        assertThat(EFFECTS.keepFor(Duration.ofDays(7))
                        .stock(sku)
                        .deduct("order-2", 1)
                        .done())
                .isTrue();
        assertThat(EFFECTS.keepForEver().stock(sku).deduct("order-3", 1).done()).isTrue();
        assertThat(stock.giveBack("order-4")).isEqualTo(new GiveBackResult.NothingTaken());
        assertThat(left("order-1")).isBetween(Duration.ofHours(23), Duration.ofHours(24));
        assertThat(left("order-2")).isBetween(Duration.ofDays(6), Duration.ofDays(7));
        assertThat(RedisServer.shared().command("PTTL", order("order-3"))).isEqualTo("-1");
        assertThat(left("order-4")).isBetween(Duration.ofHours(23), Duration.ofHours(24));
    }

    private Duration left(String id) {
        return Duration.ofMillis(Long.parseLong(RedisServer.shared().command("PTTL", order(id))));
    }

    @Test
    void a_repetition_that_comes_when_the_order_is_forgotten_takes_again() {
        assertThat(stock.deduct("order-1", 3)).isEqualTo(new Deducted(7));
        assertThat(RedisServer.shared().command("PEXPIRE", order("order-1"), "0"))
                .isEqualTo("1");
        assertThat(stock.deduct("order-1", 3)).isEqualTo(new Deducted(4));
    }

    @Test
    void no_name_passes_for_the_note_of_another() {
        RedisStock odd = EFFECTS.stock(sku + "}:order:order-1");
        assertThat(odd.set("count-1", 5)).isEqualTo(new AddResult.Added(5));
        assertThat(stock.deduct("order-1}", 3)).isEqualTo(new Deducted(7));
        assertThat(odd.left()).isEqualTo(5);
        assertThat(EFFECTS.prefix("other").stock(sku).left()).isZero();
        assertThat(EFFECTS.counter(sku).value()).isZero();
    }

    @Test
    void what_makes_no_sense_is_refused_with_its_value() {
        for (long quantity :
                LongStream.of(0, -1, Long.MIN_VALUE, RedisStock.MOST + 1).toArray()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> stock.deduct("order-1", quantity))
                    .withMessageContaining("not " + quantity);
            assertThatIllegalArgumentException().isThrownBy(() -> stock.add("delivery-1", quantity));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> stock.set("count-1", -1));
        assertThat(stock.set("count-1", 0)).isEqualTo(new AddResult.Added(0));
        for (String id : List.of("", " ", "\ud83d", "x".repeat(256))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> stock.deduct(id, 1))
                    .withMessageContaining("order");
            assertThatIllegalArgumentException().isThrownBy(() -> stock.giveBack(id));
            assertThatIllegalArgumentException().isThrownBy(() -> EFFECTS.stock(id));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EFFECTS.keepFor(Duration.ZERO))
                .withMessageContaining("PT0S");
    }
}
