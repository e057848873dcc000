package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.Tokens;
import io.onefold.http.HttpContract;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Policies;
import io.onefold.spring.web.OnefoldProblems;
import io.onefold.spring.web.UnbegunFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The HTTP contract in a servlet container. */
@AutoConfiguration(after = {OnefoldAutoConfiguration.class, RequestAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, RequestContextHolder.class})
@ConditionalOnBean(Onefold.class)
@ConditionalOnProperty(name = "onefold.http.enabled", matchIfMissing = true)
class ServletAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    Contracts onefoldContracts(
            OnefoldProperties properties,
            Onefold onefold,
            Policies policies,
            IdempotentMethods methods,
            Probes probes,
            ObjectProvider<HandlerRouting> handlers,
            ObjectProvider<Tokens> tokens,
            ObjectProvider<HttpContractCustomizer> customizers,
            ObjectProvider<HttpContract> own) {
        return new Contracts(properties, onefold, policies, methods, probes, handlers, tokens, customizers, own);
    }

    @Bean
    @ConditionalOnMissingBean(name = "onefoldFilter")
    FilterRegistrationBean<ContractFilter> onefoldFilter(
            OnefoldProperties properties,
            Contracts contracts,
            ServletCallers callers,
            BeanFactory beans,
            Environment environment) {
        String page = properties.http().errorPage();
        String usual = beans.containsBean("basicErrorController")
                ? environment.resolvePlaceholders("${spring.web.error.path:${error.path:/error}}")
                : null;
        return registered(
                new ContractFilter(contracts, callers, page == null ? usual : page),
                properties.http().filterOrder());
    }

    @Bean
    @ConditionalOnMissingBean(name = "onefoldUnbegunFilter")
    FilterRegistrationBean<UnbegunFilter> onefoldUnbegunFilter(OnefoldProperties properties, Contracts contracts) {
        return registered(
                new UnbegunFilter(contracts::isHandled), properties.http().filterOrder() + 1);
    }

    private static <F extends Filter> FilterRegistrationBean<F> registered(F filter, int order) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(order);
        registration.setAsyncSupported(true);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        return registration;
    }

    /** Handlers of Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RequestMappingInfoHandlerMapping.class)
    static class Mvc {
        @Bean
        @ConditionalOnMissingBean
        HandlerRouting onefoldHandlerRouting(
                ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
                IdempotentMethods methods,
                OnefoldProperties properties,
                Environment environment) {
            String path = environment.getProperty("spring.mvc.servlet.path", "");
            return new HandlerRouting(
                    mappings,
                    methods,
                    StringUtils.trimTrailingCharacter(path, '/'),
                    properties.http().mutating());
        }

        @Bean
        @ConditionalOnMissingBean
        OnefoldProblems onefoldProblems(Contracts contracts) {
            return new OnefoldProblems(contracts);
        }
    }
}
