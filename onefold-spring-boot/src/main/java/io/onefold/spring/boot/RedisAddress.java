package io.onefold.spring.boot;

import io.onefold.redis.RedisConnections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/** Where the application's Redis is, in words that do not change with Spring Boot. */
public final class RedisAddress {
    private final UnaryOperator<RedisConnections.Builder> steps;

    private RedisAddress(UnaryOperator<RedisConnections.Builder> steps) {
        this.steps = steps;
    }

    public static RedisAddress server(String host, int port, int database) {
        return new RedisAddress(builder -> builder.host(host).port(port).database(database));
    }

    /**
     * The master that sentinels name.
     *
     * @param nodes as {@code host:port}
     * @param username of the sentinels, null for none
     */
    public static RedisAddress sentinels(
            String master, List<String> nodes, int database, @Nullable String username, @Nullable String password) {
        return new RedisAddress(builder -> {
            builder.sentinel(master, nodes.toArray(String[]::new)).database(database);
            if (username != null) {
                builder.sentinelUsername(username);
            }
            return password == null ? builder : builder.sentinelPassword(password);
        });
    }

    /**
     * A cluster, found by some of its nodes.
     *
     * @param nodes as {@code host:port}
     */
    public static RedisAddress cluster(List<String> nodes) {
        return new RedisAddress(builder -> builder.cluster(nodes.toArray(String[]::new)));
    }

    /** For settings that are none of the others. */
    public static IllegalStateException unusable() {
        return new IllegalStateException("spring.data.redis is neither a server, nor sentinels, nor a cluster, which"
                + " is all that Onefold can use: set onefold.redis.url, of a master and its replicas that of the master, or"
                + " onefold.store=jdbc");
    }

    public RedisAddress login(@Nullable String username, @Nullable String password) {
        return new RedisAddress(builder -> {
            RedisConnections.Builder placed = steps.apply(builder);
            if (username != null) {
                placed.username(username);
            }
            return password == null ? placed : placed.password(password);
        });
    }

    public RedisAddress ssl(@Nullable SslBundle bundle) {
        return bundle == null
                ? this
                : new RedisAddress(builder -> steps.apply(builder).ssl(bundle.createSslContext()));
    }

    RedisConnections.Builder on(RedisConnections.Builder builder) {
        return steps.apply(builder);
    }
}
