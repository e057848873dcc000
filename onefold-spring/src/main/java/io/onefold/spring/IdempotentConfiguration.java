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
    static CreatedBeans onefoldMadeBeans() {
        return new CreatedBeans();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentMethodRegistry onefoldMethods(
            ConfigurableListableBeanFactory beans, CreatedBeans made, Environment environment) {
        // resolved at the first call: a bean that takes part in making beans must not need others
        return new IdempotentMethodRegistry(beans, made, SingletonSupplier.of(() -> wiring(beans, environment)));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentAdvisor onefoldAdvisor(IdempotentMethodRegistry methods) {
        return new IdempotentAdvisor(new IdempotentInterceptor(methods));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MethodEntryTracker.EntryInterceptor onefoldWatch(IdempotentMethodRegistry methods) {
        return new MethodEntryTracker.EntryInterceptor(methods);
    }

    private static IdempotentContext wiring(ConfigurableListableBeanFactory beans, Environment environment) {
        Onefold onefold = beans.getBean(Onefold.class);
        ObjectProvider<SpringTransactionSupport> transactions = beans.getBeanProvider(SpringTransactionSupport.class);
        return new IdempotentContext(
                onefold,
                beans.getBeanProvider(OperationSettingsRegistry.class)
                        .getIfAvailable(() -> new OperationSettingsRegistry(OperationSettings.NONE, Map.of())),
                beans.getBeanProvider(RequestResolver.class).getIfAvailable(() -> RequestResolver.NONE),
                beans.getBeanProvider(MessageResolver.class).getIfAvailable(() -> MessageResolver.NONE),
                beans.getBeanProvider(ArgumentFingerprinter.class).getIfAvailable(() -> ArgumentFingerprinter.STANDARD),
                // a store without transactions has none, even if the application defines the bean
                onefold.store().joining() == null ? null : transactions.getIfAvailable(),
                beans.getBeanProvider(LegacySettings.class).getIfAvailable(),
                beans.getBeanProvider(KeyHeader.class)
                        .getIfAvailable(() -> KeyHeader.DEFAULT)
                        .name(),
                environment::resolveRequiredPlaceholders,
                // for planned times only: leases and keep times use the store's clock
                Objects.requireNonNullElseGet(beans.getBeanProvider(Clock.class).getIfUnique(), Clock::systemUTC),
                AttemptTraces.of(beans),
                new UnsettledDeliveries(
                        beans.getBeanProvider(ListenerSettings.class).getIfAvailable(() -> ListenerSettings.DEFAULT)));
    }

    /** Wraps annotated beans in proxies, by their classes or by their interfaces, as the application is configured. */
    static final class ProxyCreatorCheck implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            if (importing.getAnnotations().get(EnableIdempotent.class).getBoolean("proxyTargetClass")) {
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }
}
