package io.onefold.spring.boot;

import io.onefold.spring.EnableIdempotent;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Policies;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.ConfigurationClassPostProcessor;
import org.springframework.core.env.Environment;

/**
 * The annotated methods as they would be with other policies: made a second time, beside those that are called, and so checked as they
 * are when the application starts.
 */
final class Candidate {
    private Candidate() {}

    /** @throws RuntimeException if a method cannot be called with these, naming both values */
    static IdempotentMethods of(
            Policies policies,
            IdempotentMethods methods,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        DefaultListableBeanFactory beside = new DefaultListableBeanFactory(beans);
        beside.setBeanClassLoader(beans.getBeanClassLoader());
        beside.registerResolvableDependency(BeanFactory.class, beside);
        beside.registerSingleton("onefoldPolicies", policies);
        new AnnotatedBeanDefinitionReader(beside, environment).registerBean(Annotated.class);
        ConfigurationClassPostProcessor reading = new ConfigurationClassPostProcessor();
        reading.setEnvironment(environment);
        reading.postProcessBeanDefinitionRegistry(beside);
        IdempotentMethods checked = beside.getBean("onefoldMethods", IdempotentMethods.class);
        for (IdempotentMethod method : methods.all()) {
            checked.of(method.method(), method.type());
        }
        return checked;
    }

    @EnableIdempotent
    static final class Annotated {}
}
