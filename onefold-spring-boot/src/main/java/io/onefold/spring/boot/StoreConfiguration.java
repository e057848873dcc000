package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.jdbc.JdbcStore;
import io.onefold.redis.RedisConnections;
import io.onefold.redis.RedisStore;
import io.onefold.spring.boot.OnefoldProperties.StoreKind;
import io.onefold.store.MemoryStore;
import io.onefold.store.Store;
import io.onefold.store.TieredStore;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;

/**
 * The store: the first of these that can be, if the one in a database does not stand alone. Which is first, only their {@code @Order}
 * says: an import would come after the member that it names.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(Onefold.class) // which has a store: another beside it would be taken for its
class StoreConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(StoreConfiguration.class);

    @Configuration(proxyBeanMethods = false)
    @Order(1)
    @ConditionalOnClass({RedisConnections.class, JdbcStore.class})
    @ConditionalOnStore(StoreKind.AUTO)
    @ConditionalOnBean(value = RedisConnections.class, name = JdbcConfiguration.STORE)
    static class TieredConfiguration {
        @Bean
        @Primary
        @ConditionalOnMissingBean(value = Store.class, ignored = JdbcStore.class)
        TieredStore onefoldStore(
                @Qualifier(JdbcConfiguration.STORE) JdbcStore truth,
                RedisConnections redis,
                OnefoldProperties properties) {
            RedisStore front = RedisStore.builder(redis)
                    .prefix(properties.redis().prefix())
                    .buildFront();
            return TieredStore.over(front, truth, truth::epoch, System::nanoTime);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Order(2)
    @ConditionalOnClass(RedisConnections.class)
    @ConditionalOnStore(StoreKind.REDIS)
    @ConditionalOnBean(RedisConnections.class)
    static class RedisOnlyConfiguration {
        @Bean
        @ConditionalOnMissingBean(Store.class)
        RedisStore onefoldStore(RedisConnections redis, OnefoldProperties properties) {
            RedisStore.Builder builder = RedisStore.builder(redis)
                    .prefix(properties.redis().prefix())
                    .closedAfterLoss(properties.redis().closedAfterLoss());
            return UnusableStoreException.unlessOpen(builder::build);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Order(3)
    @ConditionalOnStore({StoreKind.AUTO, StoreKind.MEMORY})
    static class MemoryStoreConfiguration {
        @Bean
        @ConditionalOnMissingBean(Store.class)
        MemoryStore onefoldStore(OnefoldProperties properties, ApplicationContext context) {
            if (properties.store() == StoreKind.AUTO) {
                LOG.warn(
                        "Records are kept in this process alone, and end with it: neither other nodes nor the next start"
                                + " know what was done. {} makes them last; onefold.store=memory says that this is"
                                + " intended",
                        lasting(context));
            }
            return new MemoryStore();
        }

        /** @throws MissingStoreException if there are databases, but not one to choose */
        private static String lasting(ApplicationContext context) {
            ClassLoader loader = context.getClassLoader();
            List<String> sources = List.of(context.getBeanNamesForType(DataSource.class, true, false));
            if (!sources.isEmpty() && ClassUtils.isPresent("io.onefold.jdbc.JdbcStore", loader)) {
                throw new MissingStoreException(sources);
            }
            if (ClassUtils.isPresent("io.onefold.redis.RedisConnections", loader)
                    && context.getBeanNamesForType(RedisConnections.class, true, false).length > 0) {
                return "onefold.store=redis";
            }
            return sources.isEmpty() ? "A DataSource" : "onefold-store-jdbc on the class path";
        }
    }

    /** Says what is missing for the store that was asked for. */
    @Configuration(proxyBeanMethods = false)
    @Order(4)
    @ConditionalOnStore({StoreKind.JDBC, StoreKind.REDIS})
    static class MissingStoreConfiguration {
        @Bean
        @ConditionalOnMissingBean(Store.class)
        Store onefoldStore(OnefoldProperties properties) {
            throw new MissingStoreException(properties.store());
        }
    }
}
