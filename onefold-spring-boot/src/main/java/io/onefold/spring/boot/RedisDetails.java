package io.onefold.spring.boot;

import io.onefold.redis.Redis;
import java.util.List;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;

/** What Spring Boot knows of the application's Redis. */
final class RedisDetails {
    private RedisDetails() {}

    static Redis.Builder applied(DataRedisConnectionDetails details, Redis.Builder builder) {
        String username = details.getUsername();
        String password = details.getPassword();
        if (username != null) {
            builder.username(username);
        }
        if (password != null) {
            builder.password(password);
        }
        if (details.getSslBundle() != null) {
            builder.ssl(details.getSslBundle().createSslContext());
        }
        if (details.getCluster() != null) {
            return builder.cluster(nodes(details.getCluster().getNodes()));
        }
        if (details.getSentinel() != null) {
            return sentinel(details.getSentinel(), builder);
        }
        if (details.getStandalone() == null) {
            throw new IllegalStateException("spring.data.redis is neither a server, nor sentinels, nor a cluster, which"
                    + " is all that Onefold can use: set onefold.redis.url");
        }
        return builder.host(details.getStandalone().getHost())
                .port(details.getStandalone().getPort())
                .database(details.getStandalone().getDatabase());
    }

    private static Redis.Builder sentinel(DataRedisConnectionDetails.Sentinel sentinel, Redis.Builder builder) {
        builder.sentinel(sentinel.getMaster(), nodes(sentinel.getNodes())).database(sentinel.getDatabase());
        if (sentinel.getUsername() != null) {
            builder.sentinelUsername(sentinel.getUsername());
        }
        if (sentinel.getPassword() != null) {
            builder.sentinelPassword(sentinel.getPassword());
        }
        return builder;
    }

    private static String[] nodes(List<Node> nodes) {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).toArray(String[]::new);
    }
}
