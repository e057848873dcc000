package io.onefold.spring.boot;

import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.web.HandlerNotReachedFilter;
import io.onefold.spring.web.OnefoldProblemAdvice;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The HTTP contract as a filter of a servlet container. */
@AutoConfiguration(after = {HttpContractAutoConfiguration.class, RequestAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, RequestContextHolder.class})
@ConditionalOnBean(CurrentHttpContract.class)
class ServletFilterAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "onefoldFilter")
    FilterRegistrationBean<RefreshableFilter> onefoldFilter(
            OnefoldProperties properties,
            CurrentHttpContract contracts,
            ServletCallerResolver callers,
            SpringSecuritySupport security,
            BeanFactory beans,
            Environment environment) {
        String page = properties.http().errorPage();
        String usual = beans.containsBean("basicErrorController")
                ? environment.resolvePlaceholders("${spring.web.error.path:${error.path:/error}}")
                : null;
        return registered(
                new RefreshableFilter(
                        contracts,
                        callers,
                        page == null ? usual : page,
                        security.outerExceptions(properties.http().outerExceptions())),
                security.filterOrder(properties.http().filterOrder()));
    }

    @Bean
    @ConditionalOnMissingBean(name = "onefoldUnbegunFilter")
    FilterRegistrationBean<HandlerNotReachedFilter> onefoldUnbegunFilter(
            OnefoldProperties properties,
            IdempotentMethodRegistry methods,
            CurrentHttpContract contracts,
            SpringSecuritySupport security) {
        return registered(
                new HandlerNotReachedFilter(methods, contracts::isHandled),
                security.filterOrder(properties.http().filterOrder()) + 1);
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
    static class MvcConfiguration {
        @Bean
        @ConditionalOnMissingBean(EndpointMappings.class)
        MvcRouting onefoldHandlerRouting(
                ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
                IdempotentMethodRegistry methods,
                OnefoldProperties properties,
                Environment environment) {
            String path = environment.getProperty("spring.mvc.servlet.path", "");
            return new MvcRouting(
                    mappings,
                    methods,
                    StringUtils.trimTrailingCharacter(path, '/'),
                    properties.http().mutating());
        }

        @Bean
        @ConditionalOnMissingBean
        OnefoldProblemAdvice onefoldProblems(CurrentHttpContract contracts) {
            return new OnefoldProblemAdvice(contracts);
        }
    }
}
