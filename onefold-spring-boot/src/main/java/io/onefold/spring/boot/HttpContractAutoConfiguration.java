package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.TokenStore;
import io.onefold.http.HttpContract;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.OperationSettingsRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** The HTTP contract of an application that takes requests, whatever it takes them with. */
@AutoConfiguration(after = OnefoldAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnOnefold
@ConditionalOnProperty(name = "onefold.http.enabled", matchIfMissing = true)
class HttpContractAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    CurrentHttpContract onefoldContracts(
            OnefoldProperties properties,
            Onefold onefold,
            OperationSettingsRegistry policies,
            IdempotentMethodRegistry methods,
            ProbeBeans probes,
            ObjectProvider<EndpointMappings> handlers,
            ObjectProvider<TokenStore> tokens,
            ObjectProvider<HttpContractCustomizer> customizers,
            ObjectProvider<HttpContract> own) {
        return new CurrentHttpContract(
                properties, onefold, policies, methods, probes, handlers, tokens, customizers, own);
    }
}
