package io.onefold.spring.boot;

import io.onefold.Onefold;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Health of the store. */
@AutoConfiguration(after = OnefoldAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnOnefold
@ConditionalOnEnabledHealthIndicator("onefold")
class StoreHealthAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "onefoldHealthIndicator")
    StoreHealthIndicator onefoldHealthIndicator(Onefold onefold) {
        return new StoreHealthIndicator(onefold.store());
    }
}
