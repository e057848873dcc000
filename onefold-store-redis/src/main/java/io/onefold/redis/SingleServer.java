package io.onefold.redis;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.util.Pool;

/** One server that holds all slots: always the same, or the one whom sentinels name. */
final class SingleServer implements RedisServers {
    private static final HostAndPort ONE = new HostAndPort("one", 0);

    private final ConnectionProvider provider;

    SingleServer(ConnectionProvider provider) {
        this.provider = provider;
    }

    @Override
    public HostAndPort of(int slot) {
        return ONE;
    }

    @Override
    public boolean together() {
        return true;
    }

    @Override
    public Connection connect(HostAndPort server) {
        return provider.getConnection();
    }

    @Override
    public List<HostAndPort> all() {
        return List.of(ONE);
    }

    @Override
    public void lookAgain() {
        clear(provider);
    }

    /** Others than Jedis' own may lend a connection when they are asked for their pools. */
    static void clear(ConnectionProvider provider) {
        if (provider.getClass().getPackage() != PooledConnectionProvider.class.getPackage()) {
            return;
        }
        for (Object pool : provider.getConnectionMap().values()) {
            if (pool instanceof Pool<?> connections) {
                connections.clear();
            }
        }
    }

    @Override
    public void close() {
        RedisConnections.close(provider);
    }
}
