package io.onefold.spring.boot;

import io.onefold.http.Caller;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.spring.IdempotentMethods;
import io.onefold.spring.Requests;
import io.onefold.spring.web.ServletRequests;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Whose request a method is called in. Keys are those of whoever sent it, also where no filter looks at requests: so nothing but the
 * kind of application decides about it.
 */
@AutoConfiguration(after = OnefoldAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, RequestContextHolder.class})
@ConditionalOnOnefold
class RequestAutoConfiguration {
    /** The bean of Spring Security's filter: the library alone authenticates nobody. */
    private static final String SECURITY = "springSecurityFilterChain";

    @Bean
    @ConditionalOnMissingBean
    Security onefoldSecurity(BeanFactory beans, Environment environment) {
        return new Security(
                beans.containsBean(SECURITY),
                environment.getProperty("spring.security.filter.order", Integer.class, Security.USUAL_ORDER));
    }

    @Bean
    @ConditionalOnMissingBean
    ServletCallers onefoldCallers(OnefoldProperties properties, Security security) {
        return security.<ServletCallers>callers(
                properties.http().principal(),
                IdempotencyFilter.ANONYMOUS::apply,
                IdempotencyFilter.USER_PRINCIPAL::apply,
                new Nobody());
    }

    @Bean
    @ConditionalOnMissingBean
    Requests onefoldRequests(
            ServletCallers callers, OnefoldProperties properties, ObjectProvider<Contracts> contracts) {
        return new ServletRequests(callers, Contracts.marker(contracts, properties));
    }

    @Bean
    @ConditionalOnMissingBean
    HttpReport onefoldHttpReport(
            ObjectProvider<Contracts> contracts,
            IdempotentMethods methods,
            ServletCallers callers,
            ObjectProvider<Mappings> handlers) {
        return new HttpReport(contracts, methods, callers instanceof Nobody, handlers);
    }

    /** Nobody can be told apart, and nothing says that this is right: fit only for applications whose requests bring no keys. */
    private static final class Nobody implements ServletCallers {
        @Override
        public @Nullable Caller apply(HttpServletRequest request) {
            return null;
        }
    }
}
