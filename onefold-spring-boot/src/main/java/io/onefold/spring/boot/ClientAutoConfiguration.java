package io.onefold.spring.boot;

import feign.RequestInterceptor;
import io.onefold.spring.boot.ClientProperties.ChildKeyCalls;
import io.onefold.spring.client.AttemptTaskDecorator;
import io.onefold.spring.client.ChildKeyFeignInterceptor;
import io.onefold.spring.client.ChildKeyRules;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.Ordered;

/** What goes on from an attempt to others: keys in calls, and the attempt in tasks. Last, so that nobody else stands back for it. */
@AutoConfiguration(after = OnefoldAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnOnefold
class ClientAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnChildKeys
    ChildKeyRules onefoldChildKeys(OnefoldProperties properties) {
        return properties.clients().childKeys() == ChildKeyCalls.ALL
                ? ChildKeyRules.standard()
                : ChildKeyRules.standard().namedOnly();
    }

    /**
     * For the executors of Spring Boot. Beside one of the application's: Spring Boot 4 takes all that there are, Spring Boot 3 the one
     * that is no fallback.
     */
    @Bean
    @Fallback
    @ConditionalOnMissingBean
    AttemptTaskDecorator onefoldTaskDecorator() {
        return new AttemptTaskDecorator();
    }

    /** Its requests have no attributes, and so no names. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RequestInterceptor.class)
    @ConditionalOnChildKeys(unnamed = true)
    static class FeignKeys {
        @Bean
        @ConditionalOnMissingBean
        ChildKeyFeignInterceptor onefoldFeignInterceptor(ChildKeyRules keys) {
            return new ChildKeyFeignInterceptor(keys);
        }
    }
}
