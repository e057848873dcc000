package io.onefold.redis;

import static io.onefold.redis.Redises.COMPLETE;
import static io.onefold.redis.Redises.claimed;
import static io.onefold.redis.Redises.idInBucket;
import static io.onefold.redis.Redises.key;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.servers.RedisCluster;
import io.onefold.servers.RedisSentinel;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Claim;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

/** Masters that die, and slots that move, while records are there. What the replica has heard of stays. */
class FailoverTest {

    @Test
    void a_killed_master_of_a_cluster_costs_a_moment_and_no_record_that_its_replica_had() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisConnections redis = Redises.of(cluster)) {
            RedisStore store = RedisStore.of(redis);
            Ticket done = claimed(store);
            store.update(done, COMPLETE);
            Ticket running = claimed(store, idInBucket((int) (done.id().high() >>> 56)));
            int master = cluster.masterOf(key(done.id()));
            heard(cluster, master);
            cluster.kill(master);
            RecordSnapshot seen = patiently(
                    () -> (RecordSnapshot) store.claim(Claim.of(done.id(), UUID.randomUUID(), Redises.LEASE)));
            assertThat(seen.record().status()).isEqualTo(Status.SUCCESS);
            assertThat(patiently(() -> store.update(running, COMPLETE))).isEqualTo(UpdateResult.APPLIED);
            assertThat(cluster.masterOf(key(done.id()))).isNotEqualTo(master);
            patiently(() -> claimed(store, idInBucket((int) (done.id().high() >>> 56))));
        }
    }

    @Test
    void records_are_found_where_their_slot_has_moved_alone_and_together() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisConnections redis = Redises.of(cluster)) {
            RedisStore store = RedisStore.of(redis);
            List<Ticket> tickets = new ArrayList<>();
            for (int bucket = 0; bucket < 24; bucket++) {
                tickets.add(claimed(store, idInBucket(bucket)));
            }
            for (int bucket = 0; bucket < 24; bucket += 2) {
                move(cluster, tickets.get(bucket).id());
            }
            assertThat(claimed(store, idInBucket(0)).fence()).isPositive();
            assertThat(claimed(RedisStore.of(redis), idInBucket(2)).fence()).isPositive();
            assertThat(store.update(tickets.get(0), COMPLETE)).isEqualTo(UpdateResult.APPLIED);
            assertThat(store.updateAll(tickets.stream()
                            .map(ticket -> new RecordUpdate(ticket, COMPLETE))
                            .toList()))
                    .extracting(BatchItemResult::get)
                    .containsOnly(UpdateResult.APPLIED);
            assertThat(tickets)
                    .allSatisfy(ticket -> assertThat(Objects.requireNonNull(store.find(ticket.id()))
                                    .record()
                                    .status())
                            .isEqualTo(Status.SUCCESS));
        }
    }

    private static void move(RedisCluster cluster, RecordId id) {
        int from = cluster.masterOf(key(id));
        int to = cluster.masters().stream()
                .filter(port -> port != from)
                .findFirst()
                .orElseThrow();
        cluster.move(JedisClusterCRC16.getSlot(key(id)), to);
    }

    @Test
    void what_a_script_touches_is_of_one_slot() {
        try (RedisCluster cluster = RedisCluster.start()) {
            int port = cluster.ports().get(0);
            for (RecordBucket bucket : new KeyLayout("onefold").buckets().subList(0, 8)) {
                for (byte[] key : List.of(
                        bucket.open(),
                        bucket.due(),
                        bucket.life(),
                        RedisCommand.bytes(key(idInBucket(bucket.number()))))) {
                    assertThat(cluster.command(port, "CLUSTER", "KEYSLOT", new String(key, US_ASCII)))
                            .isEqualTo(Integer.toString(bucket.slot()));
                }
            }
        }
    }

    @Test
    void sentinels_name_another_master_and_records_go_on() {
        try (RedisSentinel sentinel = RedisSentinel.start();
                RedisConnections redis = Redises.of(sentinel)) {
            RedisStore store = RedisStore.of(redis);
            Ticket done = claimed(store);
            store.update(done, COMPLETE);
            Ticket running = claimed(store);
            int master = sentinel.masterPort();
            sentinel.command(master, "WAIT", "1", "10000");
            sentinel.killMaster();
            assertThat(patiently(() -> store.update(running, COMPLETE))).isEqualTo(UpdateResult.APPLIED);
            assertThat(Objects.requireNonNull(patiently(() -> store.find(done.id())))
                            .record()
                            .status())
                    .isEqualTo(Status.SUCCESS);
            assertThat(sentinel.masterPort()).isNotEqualTo(master);
            claimed(store);
        }
    }

    /** Until the replica of a master has all that it was told. */
    private static void heard(RedisCluster cluster, int master) {
        assertThat(cluster.command(master, "WAIT", "1", "10000")).isEqualTo("1");
    }

    /** A failing store is asked again until it answers. */
    private static <T> T patiently(Supplier<T> call) {
        List<T> answer = new ArrayList<>();
        Redises.await("the store answers", () -> {
            try {
                answer.add(call.get());
                return true;
            } catch (StoreException e) {
                return false;
            }
        });
        return answer.get(0);
    }
}
