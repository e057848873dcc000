package io.onefold.spring.boot;

import io.onefold.redis.RedisConnections;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The application's Redis, as Spring Boot 4 knows it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RedisConnections.class, DataRedisConnectionDetails.class})
@ConditionalOnBean(DataRedisConnectionDetails.class)
class DataRedisConfiguration {
    @Bean
    @Lazy // what nobody uses need not be usable
    @ConditionalOnMissingBean
    RedisAddress onefoldRedisPlace(DataRedisConnectionDetails details) {
        return place(details)
                .login(details.getUsername(), details.getPassword())
                .ssl(details.getSslBundle());
    }

    private static RedisAddress place(DataRedisConnectionDetails details) {
        var cluster = details.getCluster();
        if (cluster != null) {
            return RedisAddress.cluster(nodes(cluster.getNodes()));
        }
        var sentinel = details.getSentinel();
        if (sentinel != null) {
            return RedisAddress.sentinels(
                    sentinel.getMaster(),
                    nodes(sentinel.getNodes()),
                    sentinel.getDatabase(),
                    sentinel.getUsername(),
                    sentinel.getPassword());
        }
        var server = details.getStandalone();
        // of a master and its replicas the settings of a single server are told as well, and are nobody's choice
        if (server == null || details.getMasterReplica() != null) {
            throw RedisAddress.unusable();
        }
        return RedisAddress.server(server.getHost(), server.getPort(), server.getDatabase());
    }

    private static List<String> nodes(List<Node> nodes) {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).toList();
    }
}
