package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Policies;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** What is checked and told when the application starts, and how its policies are refreshed while it runs. */
@AutoConfiguration(
        after = {JoinedAutoConfiguration.class, ServletAutoConfiguration.class, UpkeepAutoConfiguration.class})
@ConditionalOnBean(Onefold.class)
class ReportAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    SettingsCheck onefoldSettingsCheck(
            OnefoldProperties properties, IdempotentMethods methods, ObjectProvider<HttpReport> http) {
        return new SettingsCheck(properties, methods, http);
    }

    @Bean
    @ConditionalOnMissingBean
    PolicyRefresher onefoldPolicyRefresher(
            Environment environment,
            ConfigurableListableBeanFactory beans,
            Policies policies,
            IdempotentMethods methods,
            SettingsCheck check,
            ObjectProvider<Refreshed> others) {
        return new PolicyRefresher(environment, beans, policies, methods, check, others);
    }

    @Bean
    @ConditionalOnMissingBean
    StartupReport onefoldStartupReport(
            Onefold onefold,
            IdempotentMethods methods,
            ObjectProvider<HttpReport> http,
            ObjectProvider<JoinReport> joins,
            OnefoldProperties properties,
            SettingsCheck check,
            Environment environment) {
        return new StartupReport(
                onefold, methods, http, joins, properties, () -> check.check(Configured.in(environment)));
    }
}
