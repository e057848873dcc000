package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.redis.RedisConnections;
import io.onefold.spring.boot.OnefoldProperties.StoreKind;
import io.onefold.store.Store;
import java.time.Duration;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;

/** Connections to Redis, where {@code onefold.redis.url} or Spring Data's settings say where it is; only if a store asks for them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnections.class)
@ConditionalOnMissingBean({Store.class, Onefold.class})
@ConditionalOnStore({StoreKind.AUTO, StoreKind.REDIS})
class RedisConfiguration {
    /** Before a database, a Redis that does not answer soon is no help. */
    static final Duration FRONT_TIMEOUT = Duration.ofMillis(250);

    static final Duration TRUTH_TIMEOUT = Duration.ofSeconds(2);

    private static RedisConnections.Builder builder(OnefoldProperties properties) {
        RedisProperties redis = properties.redis();
        Duration usual = properties.store() == StoreKind.REDIS ? TRUTH_TIMEOUT : FRONT_TIMEOUT;
        return RedisConnections.builder()
                .clientName("onefold")
                .timeout(redis.timeout() == null ? usual : redis.timeout())
                .connections(redis.connections());
    }

    @Configuration(proxyBeanMethods = false)
    @Order(1) // what was said to us goes first; without orders, either may
    @ConditionalOnProperty("onefold.redis.url")
    static class RedisByUrl {
        @Lazy
        @Bean(destroyMethod = "close")
        @ConditionalOnMissingBean
        RedisConnections onefoldRedis(OnefoldProperties properties) {
            return builder(properties)
                    .url(Objects.requireNonNull(properties.redis().url()))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Order(2)
    @ConditionalOnBean(RedisAddress.class)
    static class RedisByAddress {
        @Lazy
        @Bean(destroyMethod = "close")
        @ConditionalOnMissingBean
        RedisConnections onefoldRedis(OnefoldProperties properties, RedisAddress place) {
            return place.on(builder(properties)).build();
        }
    }
}
