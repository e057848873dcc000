package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.OperationSettingsRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** What is checked and told when the application starts, and how its policies are refreshed while it runs. */
@AutoConfiguration(
        after = {
            JoinedAutoConfiguration.class,
            ServletAutoConfiguration.class,
            ReactiveAutoConfiguration.class,
            UpkeepAutoConfiguration.class
        })
@ConditionalOnOnefold
class ReportAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    SettingsCheck onefoldSettingsCheck(
            OnefoldProperties properties, IdempotentMethodRegistry methods, ObjectProvider<HttpReport> http) {
        return new SettingsCheck(properties, methods, http);
    }

    @Bean
    @ConditionalOnMissingBean
    PolicyRefresher onefoldPolicyRefresher(
            Environment environment,
            OperationSettingsRegistry policies,
            IdempotentMethodRegistry methods,
            SettingsCheck check,
            ObjectProvider<Refreshed> others) {
        return new PolicyRefresher(environment, policies, methods, check, others);
    }

    @Bean
    @ConditionalOnMissingBean
    StartupReport onefoldStartupReport(
            Onefold onefold,
            IdempotentMethodRegistry methods,
            ObjectProvider<HttpReport> http,
            ObjectProvider<Operation<?>> declared,
            ObjectProvider<JoinReport> joins,
            OnefoldProperties properties,
            SettingsCheck check,
            Environment environment) {
        return new StartupReport(
                onefold,
                new Operations(methods, http, declared),
                http,
                joins,
                properties,
                () -> check.check(Configured.in(environment)));
    }
}
