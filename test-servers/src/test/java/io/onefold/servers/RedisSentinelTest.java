package io.onefold.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisSentinelTest {
    private final RedisSentinel redis = RedisSentinel.start();

    @AfterEach
    void close() {
        redis.close();
        for (RedisServer server : redis.all()) {
            assertThat(server.home()).doesNotExist();
            assertThat(ServerProcesses.of(server)).isEmpty();
        }
    }

    @Test
    void when_the_master_is_killed_its_replica_takes_over() {
        int killed = redis.masterPort();
        redis.command(killed, "SET", "key", "value");
        redis.command(killed, "WAIT", "1", "0");
        assertThat(redis.sentinelPorts()).hasSize(3).doesNotContain(killed);

        redis.killMaster();
        redis.awaitFailover(killed);

        int successor = redis.masterPort();
        assertThat(successor).isNotEqualTo(killed);
        assertThat(redis.command(successor, "GET", "key")).isEqualTo("value");
        assertThat(redis.command(successor, "SET", "key", "again")).isEqualTo("OK");
    }

    @Test
    void when_the_master_is_paused_its_replica_takes_over_and_it_follows_when_it_is_resumed() {
        int paused = redis.masterPort();

        redis.pauseMaster();
        redis.awaitFailover(paused);
        int successor = redis.masterPort();
        redis.resume();

        assertThat(successor).isNotEqualTo(paused);
        Waiting.until(
                "the former master follows",
                () -> redis.command(paused, "INFO", "replication").contains("master_port:" + successor));
        assertThat(redis.masterPort()).isEqualTo(successor);
    }
}
