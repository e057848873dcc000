package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.Tokens;
import io.onefold.http.HttpContract;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Policies;
import io.onefold.spring.Requests;
import io.onefold.spring.boot.HttpProperties.Principal;
import io.onefold.spring.web.OnefoldProblems;
import io.onefold.spring.web.ServletRequests;
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
@AutoConfiguration(after = OnefoldAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, RequestContextHolder.class})
@ConditionalOnBean(Onefold.class)
@ConditionalOnProperty(name = "onefold.http.enabled", matchIfMissing = true)
class ServletAutoConfiguration {
    /** The bean of Spring Security's filter: the library alone authenticates nobody. */
    private static final String SECURITY = "springSecurityFilterChain";

    @Bean
    @ConditionalOnMissingBean
    Contracts onefoldContracts(
            OnefoldProperties properties,
            Onefold onefold,
            Policies policies,
            Probes probes,
            ObjectProvider<HandlerRouting> handlers,
            ObjectProvider<Tokens> tokens,
            ObjectProvider<HttpContractCustomizer> customizers,
            ObjectProvider<HttpContract> own) {
        return new Contracts(properties, onefold, policies, probes, handlers, tokens, customizers, own);
    }

    @Bean
    @ConditionalOnMissingBean
    ServletCallers onefoldCallers(OnefoldProperties properties, BeanFactory beans) {
        Principal chosen = properties.http().principal();
        if (chosen == Principal.ANONYMOUS) {
            return IdempotencyFilter.ANONYMOUS::apply;
        }
        return chosen == Principal.SECURITY || beans.containsBean(SECURITY)
                ? IdempotencyFilter.USER_PRINCIPAL::apply
                : new Nobody();
    }

    @Bean
    @ConditionalOnMissingBean
    Requests onefoldRequests(ServletCallers callers) {
        return new ServletRequests(callers);
    }

    @Bean
    @ConditionalOnMissingBean
    HttpReport onefoldHttpReport(
            Contracts contracts,
            IdempotentMethods methods,
            ServletCallers callers,
            ObjectProvider<HandlerRouting> handlers) {
        return new HttpReport(contracts, methods, callers, handlers);
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
    FilterRegistrationBean<UnbegunFilter> onefoldUnbegunFilter(
            OnefoldProperties properties, IdempotentMethods methods) {
        return registered(
                new UnbegunFilter(operation ->
                        methods.all().stream().anyMatch(method -> method.name().equals(operation))),
                properties.http().filterOrder() + 1);
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
                Environment environment) {
            String path = environment.getProperty("spring.mvc.servlet.path", "");
            return new HandlerRouting(mappings, methods, StringUtils.trimTrailingCharacter(path, '/'));
        }

        @Bean
        @ConditionalOnMissingBean
        OnefoldProblems onefoldProblems(Contracts contracts) {
            return new OnefoldProblems(contracts);
        }
    }
}
