package io.onefold.spring;

import io.onefold.Onefold;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.function.SingletonSupplier;

/** The beans behind {@link EnableIdempotent}. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class IdempotentConfiguration {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MadeBeans onefoldMadeBeans() {
        return new MadeBeans();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentMethods onefoldMethods(
            ConfigurableListableBeanFactory beans, MadeBeans made, Environment environment) {
        // resolved at the first call: a bean that takes part in making beans must not need others
        return new IdempotentMethods(beans, made, SingletonSupplier.of(() -> wiring(beans, environment)));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentAdvisor onefoldAdvisor(IdempotentMethods methods) {
        return new IdempotentAdvisor(new IdempotentInterceptor(methods));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Entrance.Watch onefoldWatch(IdempotentMethods methods) {
        return new Entrance.Watch(methods);
    }

    private static Wiring wiring(ConfigurableListableBeanFactory beans, Environment environment) {
        Onefold onefold = beans.getBean(Onefold.class);
        ObjectProvider<JoinedTransactions> transactions = beans.getBeanProvider(JoinedTransactions.class);
        return new Wiring(
                onefold,
                beans.getBeanProvider(Policies.class)
                        .getIfAvailable(() -> new Policies(OperationSettings.NONE, Map.of())),
                beans.getBeanProvider(Requests.class).getIfAvailable(() -> Requests.NONE),
                beans.getBeanProvider(Messages.class).getIfAvailable(() -> Messages.NONE),
                beans.getBeanProvider(Printer.class).getIfAvailable(() -> Printer.STANDARD),
                // a store without transactions has none, even if the application defines the bean
                onefold.store().joining() == null ? null : transactions.getIfAvailable(),
                beans.getBeanProvider(LegacySettings.class).getIfAvailable(),
                beans.getBeanProvider(KeyHeader.class)
                        .getIfAvailable(() -> KeyHeader.DEFAULT)
                        .name(),
                environment::resolveRequiredPlaceholders,
                // for planned times only: leases and keep times use the store's clock
                Objects.requireNonNullElseGet(beans.getBeanProvider(Clock.class).getIfUnique(), Clock::systemUTC),
                Traces.of(beans),
                new UnsettledDeliveries(
                        beans.getBeanProvider(ListenerSettings.class).getIfAvailable(() -> ListenerSettings.DEFAULT)));
    }

    /** Wraps annotated beans in proxies, by their classes or by their interfaces, as the application is configured. */
    static final class Proxies implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            if (importing.getAnnotations().get(EnableIdempotent.class).getBoolean("proxyTargetClass")) {
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }
}
