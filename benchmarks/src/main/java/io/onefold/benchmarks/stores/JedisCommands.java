package io.onefold.benchmarks.stores;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/** A pool of connections, each for one caller at a time. */
final class JedisCommands implements Commands {
    private final String name;
    private final RedisClient client;

    JedisCommands(String name, String host, int port, int connections) {
        this.name = name;
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxIdle(connections);
        pool.setJmxEnabled(false);
        this.client =
                RedisClient.builder().hostAndPort(host, port).poolConfig(pool).build();
    }

    @Override
    public String client() {
        return name;
    }

    @Override
    public @Nullable String get(String key) {
        return client.get(key);
    }

    @Override
    public void set(String key, String value) {
        client.set(key, value);
    }

    @Override
    public void set(String key, String value, Duration life) {
        client.set(key, value, SetParams.setParams().px(life.toMillis()));
    }

    @Override
    public boolean setIfAbsent(String key, String value, Duration life) {
        return client.set(key, value, SetParams.setParams().nx().px(life.toMillis())) != null;
    }

    @Override
    public void close() {
        client.close();
    }
}
