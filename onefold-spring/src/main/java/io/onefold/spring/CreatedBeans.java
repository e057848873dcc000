package io.onefold.spring;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.core.Ordered;

/**
 * The beans that Spring has made itself. This processor runs before most beans are made. So it can tell beans that were made too early to
 * be wrapped from beans that were replaced, as tests do; replaced beans have definitions, too. Beans that other registry processors need
 * are made even earlier.
 */
final class CreatedBeans implements BeanDefinitionRegistryPostProcessor, Ordered {
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
