package io.onefold.spring.boot3;

import io.onefold.spring.boot.ConditionalOnChildKeys;
import io.onefold.spring.boot.ConditionalOnOnefold;
import io.onefold.spring.client.ChildKeyExchangeFilter;
import io.onefold.spring.client.ChildKeyHttpInterceptor;
import io.onefold.spring.client.ChildKeyRules;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.web.client.RestClientCustomizer;
import org.springframework.boot.web.client.RestTemplateCustomizer;
import org.springframework.boot.web.reactive.function.client.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Keys in the calls of clients that Spring Boot 3 makes. Ours go before others, which may choose an instance or retry. */
@AutoConfiguration(afterName = "io.onefold.spring.boot.ClientAutoConfiguration")
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnOnefold
@ConditionalOnChildKeys
class Boot3ChildKeyAutoConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RestClientCustomizer.class, RestClient.class})
    static class Boot3RestClientKeys {
        @Bean
        @ConditionalOnMissingBean(name = "onefoldRestClientCustomizer")
        RestClientCustomizer onefoldRestClientCustomizer(ChildKeyRules keys) {
            return builder ->
                    builder.requestInterceptors(interceptors -> interceptors.add(0, new ChildKeyHttpInterceptor(keys)));
        }

        /** Its requests have no names; and with an interceptor, their bodies are held in memory. */
        @Bean
        @ConditionalOnMissingBean(name = "onefoldRestTemplateCustomizer")
        @ConditionalOnChildKeys(unnamed = true)
        RestTemplateCustomizer onefoldRestTemplateCustomizer(ChildKeyRules keys) {
            return template -> template.getInterceptors().add(0, new ChildKeyHttpInterceptor(keys));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({WebClientCustomizer.class, WebClient.class})
    static class Boot3WebClientKeys {
        @Bean
        @ConditionalOnMissingBean(name = "onefoldWebClientCustomizer")
        WebClientCustomizer onefoldWebClientCustomizer(ChildKeyRules keys) {
            return builder -> builder.filters(filters -> filters.add(0, new ChildKeyExchangeFilter(keys)));
        }
    }
}
