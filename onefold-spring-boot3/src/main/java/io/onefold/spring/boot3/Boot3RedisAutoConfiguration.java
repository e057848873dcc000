package io.onefold.spring.boot3;

import io.onefold.redis.RedisConnections;
import io.onefold.spring.boot.RedisAddress;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails.Node;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** The application's Redis, as Spring Boot 3 knows it. */
@AutoConfiguration(
        afterName = "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
        beforeName = "io.onefold.spring.boot.OnefoldAutoConfiguration")
@ConditionalOnClass({RedisConnections.class, RedisConnectionDetails.class})
@ConditionalOnBean(RedisConnectionDetails.class)
@ConditionalOnProperty(name = "onefold.enabled", matchIfMissing = true)
class Boot3RedisAutoConfiguration {
    @Bean
    @Lazy // what nobody uses need not be usable
    @ConditionalOnMissingBean
    RedisAddress onefoldRedisPlace(RedisConnectionDetails details) {
        return place(details).login(details.getUsername(), details.getPassword());
    }

    private static RedisAddress place(RedisConnectionDetails details) {
        var cluster = details.getCluster();
        if (cluster != null) {
            return RedisAddress.cluster(nodes(cluster.getNodes())).ssl(cluster.getSslBundle());
        }
        var sentinel = details.getSentinel();
        if (sentinel != null) {
            return RedisAddress.sentinels(
                            sentinel.getMaster(),
                            nodes(sentinel.getNodes()),
                            sentinel.getDatabase(),
                            sentinel.getUsername(),
                            sentinel.getPassword())
                    .ssl(sentinel.getSslBundle());
        }
        var server = details.getStandalone();
        if (server == null) {
            throw RedisAddress.unusable();
        }
        return RedisAddress.server(server.getHost(), server.getPort(), server.getDatabase())
                .ssl(server.getSslBundle());
    }

    private static List<String> nodes(List<Node> nodes) {
        return nodes.stream().map(node -> node.host() + ":" + node.port()).toList();
    }
}
