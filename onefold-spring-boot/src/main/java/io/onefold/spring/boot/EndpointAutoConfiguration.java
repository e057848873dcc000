package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.spring.IdempotentMethodRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** What can be seen of operations and records through the actuator. */
@AutoConfiguration(after = OnefoldAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnOnefold
@ConditionalOnAvailableEndpoint(OnefoldEndpoint.class)
class EndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    OnefoldEndpoint onefoldEndpoint(
            Onefold onefold,
            IdempotentMethodRegistry methods,
            ObjectProvider<HttpReport> http,
            ObjectProvider<Operation<?>> declared) {
        return new OnefoldEndpoint(onefold, new OperationCatalog(methods, http, declared));
    }
}
