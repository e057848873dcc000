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
            TransactionSupportAutoConfiguration.class,
            ServletFilterAutoConfiguration.class,
            WebFluxFilterAutoConfiguration.class,
            MaintenanceAutoConfiguration.class
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
    SettingsRefresher onefoldPolicyRefresher(
            Environment environment,
            OperationSettingsRegistry policies,
            IdempotentMethodRegistry methods,
            SettingsCheck check,
            ObjectProvider<Refreshable> others) {
        return new SettingsRefresher(environment, policies, methods, check, others);
    }

    @Bean
    @ConditionalOnMissingBean
    StartupReport onefoldStartupReport(
            Onefold onefold,
            IdempotentMethodRegistry methods,
            ObjectProvider<HttpReport> http,
            ObjectProvider<Operation<?>> declared,
            ObjectProvider<LeasedTransactionReport> joins,
            OnefoldProperties properties,
            SettingsCheck check,
            Environment environment) {
        return new StartupReport(
                onefold,
                new OperationCatalog(methods, http, declared),
                http,
                joins,
                properties,
                () -> check.check(ConfiguredSettings.in(environment)));
    }
}
