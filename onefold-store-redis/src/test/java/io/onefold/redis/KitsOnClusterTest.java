package io.onefold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.TokenStore;
import io.onefold.servers.RedisCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Tokens, effects and locks where every script must keep to one slot, and slots have different servers. */
class KitsOnClusterTest {
    private static RedisCluster cluster;
    private static RedisConnections redis;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
        redis = RedisConnections.builder()
                .cluster(cluster.ports().stream()
                        .map(port -> "127.0.0.1:" + port)
                        .toArray(String[]::new))
                .build();
    }

    @AfterAll
    static void stop() {
        redis.close();
        cluster.close();
    }

    @Test
    void tokens_of_all_slots_are_issued_checked_and_removed() {
        RedisTokenStore tokens = RedisTokenStore.on(redis);
        List<String> issued = Together.call(32, i -> tokens.issue("submit", "user-" + i)).stream()
                .toList();
        for (int i = 0; i < issued.size(); i++) {
            String token = issued.get(i);
            assertThat(tokens.check(token, "submit", "user-" + i)).isEqualTo(TokenStore.TokenCheck.VALID);
            tokens.remove(token);
            assertThat(tokens.check(token, "submit", "user-" + i)).isEqualTo(TokenStore.TokenCheck.MISSING);
        }
    }

    @Test
    void stocks_counters_and_votes_of_all_slots_take_effect_once() {
        RedisEffects effects = RedisEffects.on(redis);
        for (int i = 0; i < 12; i++) {
            RedisStock stock = effects.stock("sku-" + i);
            assertThat(stock.add("delivery-1", 5)).isEqualTo(new AddResult.Added(5));
            assertThat(Together.call(8, same -> stock.deduct("order-1", 2)))
                    .filteredOn(DeductResult.Deducted.class::isInstance)
                    .hasSize(1);
            assertThat(stock.giveBack("order-1")).isEqualTo(new GiveBackResult.GivenBack(2, 5));
            assertThat(effects.counter("clicks-" + i).add("event-1", 1)).isEqualTo(new AddResult.Added(1));
            RedisVotes votes = effects.votes("poll-" + i);
            assertThat(votes.vote("ann", "yes")).isEqualTo(new VoteResult.Voted());
            assertThat(votes.tally()).isEqualTo(Map.of("yes", 1L));
            votes.remove();
            assertThat(votes.tally()).isEmpty();
        }
    }

    @Test
    void locks_of_all_slots_are_held_by_one_at_a_time() {
        try (FencedLocks locks = FencedLocks.on(RedisStore.of(redis))) {
            for (int i = 0; i < 12; i++) {
                String name = "payout-" + i;
                List<Long> fences = new ArrayList<>();
                assertThat(Together.call(4, same -> locks.run(name, held -> fences.add(held.fence()))))
                        .containsOnly(true);
                assertThat(fences).hasSize(4).isSorted().doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void a_slot_that_moves_takes_its_causes_along() {
        RedisStock stock = RedisEffects.on(redis).stock("moving");
        assertThat(stock.add("delivery-1", 5)).isEqualTo(new AddResult.Added(5));
        assertThat(stock.deduct("order-1", 2)).isEqualTo(new DeductResult.Deducted(3));
        String key = "onefold:stock:{moving}";
        int from = cluster.masterOf(key);
        int to = cluster.masters().stream()
                .filter(port -> port != from)
                .findFirst()
                .orElseThrow();
        cluster.move(JedisClusterCRC16.getSlot(key), to);
        assertThat(cluster.masterOf(key)).isEqualTo(to);
        assertThat(stock.deduct("order-1", 2)).isEqualTo(new DeductResult.AlreadyDeducted(3));
        assertThat(stock.giveBack("order-1")).isEqualTo(new GiveBackResult.GivenBack(2, 5));
    }
}
