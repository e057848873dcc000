package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Policies;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** What is checked and told when the application starts, and how its policies are refreshed while it runs. */
@AutoConfiguration(after = {ServletAutoConfiguration.class, UpkeepAutoConfiguration.class})
@ConditionalOnBean(Onefold.class)
class ReportAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    PolicyRefresher onefoldPolicyRefresher(
            Environment environment, Policies policies, ObjectProvider<Refreshed> others) {
        return new PolicyRefresher(environment, policies, others);
    }

    @Bean
    @ConditionalOnMissingBean
    StartupReport onefoldStartupReport(
            Onefold onefold, IdempotentMethods methods, ObjectProvider<HttpReport> http, OnefoldProperties properties) {
        return new StartupReport(onefold, methods, http, properties);
    }
}
