package io.onefold.spring.boot;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Records in Redis.
 *
 * @param url Where Redis is, such as rediss://user:password@host:6380/0; without it, as spring.data.redis says.
 * @param prefix What all keys begin with.
 * @param timeout How long to wait for an answer; 2s where Redis is the truth, 250ms where it stands before a database.
 * @param connections How many connections there may be to each server.
 * @param closedAfterLoss For how long nothing is claimed after Redis, as the truth, has lost records.
 */
record RedisProperties(
        @Nullable String url,
        @DefaultValue("onefold") String prefix,
        @Nullable Duration timeout,
        @DefaultValue("24") int connections,
        @DefaultValue("1d") Duration closedAfterLoss) {

    RedisProperties {
        PropertyLimits.atLeast("onefold.redis.connections", 4, connections);
        PropertyLimits.atLeast("onefold.redis.closed-after-loss", Duration.ZERO, closedAfterLoss);
        PropertyLimits.atLeast("onefold.redis.timeout", Duration.ofMillis(1), timeout);
    }
}
