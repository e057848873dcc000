package io.onefold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.onefold.servers.RedisServer;
import org.junit.jupiter.api.Test;

class RedisEffectsTest {

    @Test
    void a_redis_that_evicts_is_refused() {
        try (RedisServer server = RedisServer.start("--maxmemory-policy", "volatile-lru");
                RedisConnections redis = RedisConnections.at(server.uri())) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> RedisEffects.on(redis))
                    .withMessageContaining("volatile-lru");
        }
    }

    @Test
    void a_redis_that_has_forgotten_its_scripts_is_told_them_again() {
        try (RedisServer server = RedisServer.start();
                RedisConnections redis = RedisConnections.at(server.uri())) {
            RedisCounter counter = RedisEffects.on(redis).counter("clicks");
            assertThat(counter.add("event-1", 1)).isEqualTo(new AddResult.Added(1));
            server.command("SCRIPT", "FLUSH");
            assertThat(counter.add("event-2", 1)).isEqualTo(new AddResult.Added(2));
        }
    }

    @Test
    void a_prefix_that_could_break_a_key_is_refused() {
        try (RedisConnections redis = RedisConnections.at(RedisServer.shared().uri())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RedisEffects.on(redis).prefix("{x}"))
                    .withMessageContaining("{x}");
        }
    }
}
