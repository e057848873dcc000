package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.TokenStore;
import io.onefold.jdbc.JdbcStore;
import io.onefold.jdbc.JdbcTokenStore;
import io.onefold.redis.RedisConnections;
import io.onefold.redis.RedisStore;
import io.onefold.redis.RedisTokenStore;
import io.onefold.store.Store;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Tokens, where the records are: the first of these that can be. An engine of the application's own does not know of ours. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("onefold.tokens.enabled")
class TokensConfiguration {
    @Configuration(proxyBeanMethods = false)
    @Order(1)
    @ConditionalOnClass(JdbcStore.class)
    @ConditionalOnSingleCandidate(JdbcStore.class)
    @ConditionalOnMissingBean({Onefold.class, TokenStore.class})
    static class JdbcTokenConfiguration {
        @Bean
        JdbcTokenStore onefoldTokens(JdbcStore store, OnefoldProperties properties) {
            return UnusableStoreException.unlessOpen(
                    () -> JdbcTokenStore.on(store, properties.tokens().life()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Order(2)
    @ConditionalOnClass(RedisStore.class)
    @ConditionalOnBean(RedisStore.class)
    @ConditionalOnSingleCandidate(RedisConnections.class)
    @ConditionalOnMissingBean({Onefold.class, TokenStore.class})
    static class RedisTokenConfiguration {
        @Bean
        RedisTokenStore onefoldTokens(RedisConnections redis, OnefoldProperties properties) {
            return RedisTokenStore.on(redis, properties.tokens().life())
                    .prefix(properties.redis().prefix());
        }
    }

    /** Says that there is no place for them. */
    @Configuration(proxyBeanMethods = false)
    @Order(3)
    static class MissingTokenConfiguration {
        /** @param stores opened before: one that is missing is told first */
        @Bean
        @ConditionalOnMissingBean(TokenStore.class)
        TokenStore onefoldTokens(ObjectProvider<Store> stores) {
            String records = stores.stream()
                    .findFirst()
                    .map(store -> "the records in " + store.getClass().getSimpleName())
                    .orElse("those of the application's own Onefold");
            throw new InvalidConfigurationPropertyValueException(
                    "onefold.tokens.enabled",
                    true,
                    "tokens stand beside records in a database or in Redis, and nothing says where beside " + records
                            + ": define a bean of type Tokens");
        }
    }
}
