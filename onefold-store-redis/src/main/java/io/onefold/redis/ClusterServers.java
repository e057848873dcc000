package io.onefold.redis;

import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/** The masters of a cluster, each with its slots. */
final class ClusterServers implements RedisServers {
    private final ClusterConnectionProvider provider;

    ClusterServers(ClusterConnectionProvider provider) {
        this.provider = provider;
    }

    @Override
    public HostAndPort of(int slot) {
        HostAndPort node = provider.getNode(slot);
        if (node == null) {
            provider.renewSlotCache();
            node = provider.getNode(slot);
        }
        if (node == null) {
            throw new JedisException("no server of the cluster holds slot " + slot);
        }
        return node;
    }

    @Override
    public boolean together() {
        return false;
    }

    @Override
    public Connection connect(HostAndPort server) {
        return provider.getConnection(server);
    }

    @Override
    public List<HostAndPort> all() {
        return provider.getPrimaryNodes().keySet().stream()
                .map(HostAndPort::from)
                .toList();
    }

    @Override
    public void lookAgain() {
        SingleServer.clear(provider);
        provider.renewSlotCache();
    }

    @Override
    public void close() {
        RedisConnections.close(provider);
    }
}
