package io.onefold.spring.boot;

import io.onefold.jdbc.JdbcStore;
import io.onefold.redis.Redis;
import io.onefold.redis.RedisStore;
import io.onefold.spring.boot.OnefoldProperties.StoreKind;
import io.onefold.store.FrontDoor;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** The store: the first of these that can be, if the one in a database does not stand alone. */
@Configuration(proxyBeanMethods = false)
@Import({
    StoreConfiguration.RedisBeforeJdbc.class,
    StoreConfiguration.RedisAlone.class,
    StoreConfiguration.Memory.class,
    StoreConfiguration.Missing.class
})
class StoreConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(StoreConfiguration.class);

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Redis.class, JdbcStore.class})
    @ConditionalOnStore(StoreKind.AUTO)
    @ConditionalOnBean(value = Redis.class, name = JdbcConfiguration.STORE)
    static class RedisBeforeJdbc {
        @Bean
        @Primary
        @ConditionalOnMissingBean(value = Store.class, ignored = JdbcStore.class)
        FrontDoor onefoldStore(
                @Qualifier(JdbcConfiguration.STORE) JdbcStore truth, Redis redis, OnefoldProperties properties) {
            RedisStore front = RedisStore.builder(redis)
                    .prefix(properties.redis().prefix())
                    .buildFront();
            return FrontDoor.over(front, truth, truth::epoch, System::nanoTime);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Redis.class)
    @ConditionalOnStore(StoreKind.REDIS)
    @ConditionalOnBean(Redis.class)
    static class RedisAlone {
        @Bean
        @ConditionalOnMissingBean(Store.class)
        RedisStore onefoldStore(Redis redis, OnefoldProperties properties) {
            RedisStore.Builder builder = RedisStore.builder(redis)
                    .prefix(properties.redis().prefix())
                    .closedAfterLoss(properties.redis().closedAfterLoss());
            return UnusableStoreException.unlessOpen(builder::build);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnStore({StoreKind.AUTO, StoreKind.MEMORY})
    static class Memory {
        @Bean
        @ConditionalOnMissingBean(Store.class)
        MemoryStore onefoldStore(OnefoldProperties properties) {
            if (properties.store() == StoreKind.AUTO) {
                LOG.warn(
                        "Records are kept in this process alone, and end with it: neither other nodes nor the next start"
                                + " know what was done. A DataSource makes them last; onefold.store=memory says that this is"
                                + " intended");
            }
            return new MemoryStore();
        }
    }

    /** Says what is missing for the store that was asked for. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnStore({StoreKind.JDBC, StoreKind.REDIS})
    static class Missing {
        @Bean
        @ConditionalOnMissingBean(Store.class)
        Store onefoldStore(OnefoldProperties properties) {
            throw new MissingStoreException(properties.store());
        }
    }
}
