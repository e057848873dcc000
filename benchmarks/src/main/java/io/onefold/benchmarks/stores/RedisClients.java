package io.onefold.benchmarks.stores;

import io.onefold.redis.RedisConnections;
import io.onefold.servers.RedisServer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The connections that were opened to a Redis, each client with its own. */
final class RedisClients implements AutoCloseable {
    static final String JEDIS = "pooled Jedis";

    /** In each pool: as many as Onefold has unless told otherwise. */
    static final int CONNECTIONS = 24;

    /** In Jedis' own pool unless told otherwise. */
    static final int JEDIS_DEFAULT = 8;

    private final RedisServer server;
    private final Deque<Runnable> open = new ArrayDeque<>();

    RedisClients(RedisServer server) {
        this.server = server;
    }

    RedisConnections onefold() {
        RedisConnections redis = RedisConnections.builder()
                .url(server.uri())
                .connections(CONNECTIONS)
                .build();
        open.push(redis::close);
        return redis;
    }

    Commands jedis() {
        return opened(new JedisCommands(JEDIS, server.host(), server.port(), CONNECTIONS));
    }

    Commands jedisByDefault() {
        String name = "Jedis, pool of " + JEDIS_DEFAULT;
        return opened(new JedisCommands(name, server.host(), server.port(), JEDIS_DEFAULT));
    }

    Commands lettuce() {
        return opened(new LettuceCommands(server.uri()));
    }

    RedisConnectionFactory spring() {
        LettuceConnectionFactory factory = new LettuceConnectionFactory(server.host(), server.port());
        factory.afterPropertiesSet();
        open.push(factory::destroy);
        return factory;
    }

    private Commands opened(Commands commands) {
        open.push(commands::close);
        return commands;
    }

    @Override
    public void close() {
        open.forEach(Runnable::run);
        open.clear();
    }
}
