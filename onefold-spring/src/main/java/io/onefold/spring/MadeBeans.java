package io.onefold.spring;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.core.Ordered;

/**
 * Which beans Spring has made itself. It looks from before most are made, and so knows those that were made too early to be wrapped from
 * those that somebody has put in their place, as tests do: these have definitions, too. What others that change definitions need for
 * that is made earlier still.
 */
final class MadeBeans implements BeanDefinitionRegistryPostProcessor, Ordered {
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (registry instanceof ConfigurableBeanFactory beans) {
            beans.addBeanPostProcessor(new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    names.add(name);
                    return bean;
                }
            });
        }
    }

    boolean contains(String bean) {
        return names.contains(bean);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
