package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.Timer;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.upkeep.Reconciler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Reconciling and sweeping, while the context runs. */
@AutoConfiguration(after = OnefoldAutoConfiguration.class)
@ConditionalOnOnefold
@ConditionalOnProperty(name = "onefold.upkeep.enabled", matchIfMissing = true)
class MaintenanceAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Reconciler onefoldReconciler(Onefold onefold, OnefoldProperties properties) {
        return new Reconciler(
                onefold, Timer.system("onefold-reconciler"), properties.upkeep().settings());
    }

    @Bean
    @ConditionalOnMissingBean
    MaintenanceLifecycle onefoldUpkeep(
            Onefold onefold, Reconciler reconciler, ProbeBeans probes, IdempotentMethodRegistry methods) {
        return new MaintenanceLifecycle(onefold, reconciler, probes, methods);
    }
}
