package io.onefold.redis;

import static io.onefold.redis.Redises.COMPLETE;
import static io.onefold.redis.Redises.claimed;
import static io.onefold.redis.Redises.idInBucket;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onefold.servers.RedisCluster;
import io.onefold.servers.RedisServer;
import io.onefold.store.StoreException;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Redis that forgets: noticed at the start where it can be, and when it happens. */
class LossTest {
    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allkeys-lru",
                "allkeys-lfu",
                "allkeys-random",
                "volatile-lru",
                "volatile-lfu",
                "volatile-random",
                "volatile-ttl"
            })
    void an_evicting_redis_is_refused_as_the_truth_and_taken_as_a_front(String policy) {
        server.command("CONFIG", "SET", "maxmemory-policy", policy);
        try (RedisConnections redis = RedisConnections.at(server.uri())) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> RedisStore.of(redis))
                    .withMessageContaining(policy)
                    .withMessageContaining("noeviction");
            assertThatCode(() -> RedisStore.front(redis)).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void after_a_loss_nobody_claims_until_someone_accepts_it_for_all(boolean restarted) {
        try (RedisConnections redis = RedisConnections.at(server.uri());
                RedisConnections other = RedisConnections.at(server.uri())) {
            RedisStore store = RedisStore.of(redis);
            RedisStore elsewhere = RedisStore.of(other);
            Ticket ticket = claimed(store);
            store.update(ticket, COMPLETE);
            if (restarted) {
                server.kill();
                server.restart();
            } else {
                server.command("FLUSHALL");
            }
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> claimed(store, ticket.id()))
                    .withMessageContaining("lost")
                    .withMessageContaining("acceptLoss");
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claimed(elsewhere, ticket.id()));
            elsewhere.acceptLoss();
            assertThatCode(() -> claimed(store, ticket.id())).doesNotThrowAnyException();
        }
    }

    @Test
    void a_part_of_a_cluster_that_lost_all_is_closed_alone_also_for_who_opens_later() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisConnections redis = Redises.of(cluster)) {
            RedisStore store = RedisStore.of(redis);
            cluster.command(cluster.masterOf("onefold:{00}:life"), "DEL", "onefold:{00}:life");
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claimed(store, idInBucket(0)));
            assertThatCode(() -> claimed(store, idInBucket(1))).doesNotThrowAnyException();
            RedisStore later = RedisStore.of(redis);
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claimed(later, idInBucket(0)));
        }
    }

    @Test
    void a_node_that_starts_after_the_loss_does_not_open_what_others_have_closed() {
        try (RedisConnections redis = RedisConnections.at(server.uri());
                RedisConnections later = RedisConnections.at(server.uri())) {
            RedisStore store = RedisStore.of(redis);
            server.command("FLUSHALL");
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claimed(store));
            RedisStore another = RedisStore.of(later);
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claimed(another));
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claimed(store));
        }
    }

    @Test
    void a_person_may_settle_a_loss_with_a_command_of_redis() {
        try (RedisConnections redis = RedisConnections.at(server.uri())) {
            RedisStore store = RedisStore.of(redis);
            server.command("FLUSHALL");
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claimed(store));
            server.command("SET", "onefold:{00}:life", "settled by hand");
            assertThatCode(() -> claimed(store)).doesNotThrowAnyException();
        }
    }

    @Test
    void when_all_that_was_lost_would_be_forgotten_claims_are_granted_again() {
        try (RedisConnections redis = RedisConnections.at(server.uri())) {
            RedisStore store = RedisStore.builder(redis)
                    .closedAfterLoss(Duration.ofMillis(1))
                    .build();
            server.command("FLUSHALL");
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> claimed(store));
            Redises.await("claims are granted again", () -> {
                try {
                    return claimed(store).fence() > 0;
                } catch (StoreException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void who_was_at_work_when_all_was_lost_is_told_so() {
        try (RedisConnections redis = RedisConnections.at(server.uri())) {
            RedisStore store = RedisStore.of(redis);
            Ticket ticket = claimed(store);
            server.command("FLUSHALL");
            assertThat(store.update(ticket, COMPLETE)).isEqualTo(UpdateResult.LOST);
        }
    }

    @Test
    void with_a_log_nothing_is_lost() {
        try (RedisServer lasting = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
                RedisConnections redis = RedisConnections.at(lasting.uri())) {
            RedisStore store = RedisStore.of(redis);
            Ticket ticket = claimed(store);
            lasting.kill();
            lasting.restart();
            assertThat(store.update(ticket, COMPLETE)).isEqualTo(UpdateResult.APPLIED);
            claimed(store);
        }
    }
}
