package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Requests;
import io.onefold.spring.boot.HttpProperties.Principal;
import io.onefold.spring.web.ServletRequests;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Whose request a method is called in. Keys are those of whoever sent it, also where no filter looks at requests: so nothing but the
 * kind of application decides about it.
 */
@AutoConfiguration(after = OnefoldAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, RequestContextHolder.class})
@ConditionalOnBean(Onefold.class)
class RequestAutoConfiguration {
    /** The bean of Spring Security's filter: the library alone authenticates nobody. */
    private static final String SECURITY = "springSecurityFilterChain";

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
            ObjectProvider<Contracts> contracts,
            IdempotentMethods methods,
            ServletCallers callers,
            ObjectProvider<HandlerRouting> handlers) {
        return new HttpReport(contracts, methods, callers, handlers);
    }
}
