package io.onefold.spring.boot3;

import io.onefold.Onefold;
import io.onefold.spring.boot.ConditionalOnOnefold;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Health of the store. */
@AutoConfiguration(afterName = "io.onefold.spring.boot.OnefoldAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnOnefold
@ConditionalOnEnabledHealthIndicator("onefold")
class Boot3StoreHealthAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "onefoldHealthIndicator")
    Boot3StoreHealthIndicator onefoldHealthIndicator(Onefold onefold) {
        return new Boot3StoreHealthIndicator(onefold.store());
    }
}
