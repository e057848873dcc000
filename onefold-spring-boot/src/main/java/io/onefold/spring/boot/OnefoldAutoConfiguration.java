package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.OperationListener;
import io.onefold.TokenStore;
import io.onefold.payload.Codec;
import io.onefold.payload.JsonCodec;
import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.KeyHeader;
import io.onefold.spring.OperationSettingsRegistry;
import io.onefold.store.Store;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The engine on the store, and the annotation. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            // of Spring Boot 3
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@ConditionalOnProperty(name = "onefold.enabled", matchIfMissing = true)
@EnableConfigurationProperties({OnefoldProperties.class, LegacyProperties.class})
@EnableIdempotent
@Import({
    JacksonConfiguration.class,
    Jackson2Configuration.class,
    DataRedisConfiguration.class,
    RedisConfiguration.class,
    JdbcConfiguration.class,
    StoreConfiguration.class,
    TokensConfiguration.class
})
class OnefoldAutoConfiguration {
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    Onefold onefold(
            Store store,
            ObjectProvider<Codec> codec,
            ObjectProvider<TokenStore> tokens,
            ObjectProvider<OperationListener> listeners,
            ObjectProvider<OnefoldCustomizer> customizers) {
        Onefold.Builder builder = Onefold.builder(store);
        // what was stored before Jackson was there is still read
        codec.ifAvailable(writer -> {
            Codec before = new JsonCodec();
            builder.codec(writer, before.id().equals(writer.id()) ? new Codec[0] : new Codec[] {before});
        });
        tokens.ifAvailable(builder::tokens);
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    @Bean
    @ConditionalOnMissingBean
    OperationSettingsRegistry onefoldPolicies(Environment environment) {
        return ConfiguredSettings.in(environment).policies();
    }

    @Bean
    @ConditionalOnMissingBean
    KeyHeader onefoldKeyHeader(OnefoldProperties properties) {
        return properties.http().header();
    }

    @Bean
    @ConditionalOnMissingBean
    ProbeBeans onefoldProbes(ListableBeanFactory beans) {
        return new ProbeBeans(beans);
    }
}
