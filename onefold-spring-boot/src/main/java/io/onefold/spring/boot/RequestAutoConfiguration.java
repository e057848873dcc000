package io.onefold.spring.boot;

import io.onefold.http.Caller;
import io.onefold.http.PrincipalCallerResolver;
import io.onefold.http.servlet.IdempotencyFilter;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.RequestResolver;
import io.onefold.spring.web.ServletRequestResolver;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Function;
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
    SpringSecuritySupport onefoldSecurity(BeanFactory beans, Environment environment) {
        return new SpringSecuritySupport(
                beans.containsBean(SECURITY),
                environment.getProperty(
                        "spring.security.filter.order", Integer.class, SpringSecuritySupport.USUAL_ORDER));
    }

    @Bean
    @ConditionalOnMissingBean
    ServletCallerResolver onefoldCallers(OnefoldProperties properties, SpringSecuritySupport security) {
        PrincipalCallerResolver principals = properties.http().principals();
        return security.<ServletCallerResolver>callers(
                properties.http().principal(),
                new ServletCallersReport(CallersReport.NOT_AT_ALL, IdempotencyFilter.ANONYMOUS),
                new ServletCallersReport(
                        CallersReport.authenticated(principals, security.present()),
                        IdempotencyFilter.userPrincipal(principals)),
                new NoServletCallers());
    }

    @Bean
    @ConditionalOnMissingBean
    RequestResolver onefoldRequests(
            ServletCallerResolver callers,
            OnefoldProperties properties,
            ObjectProvider<CurrentHttpContract> contracts) {
        return new ServletRequestResolver(callers, CurrentHttpContract.marker(contracts, properties));
    }

    @Bean
    @ConditionalOnMissingBean
    HttpReport onefoldHttpReport(
            ObjectProvider<CurrentHttpContract> contracts,
            IdempotentMethodRegistry methods,
            ServletCallerResolver callers,
            ObjectProvider<EndpointMappings> handlers) {
        return new HttpReport(contracts, methods, callers, callers instanceof NoServletCallers, handlers);
    }

    /** Callers, and what tells them apart. */
    private record ServletCallersReport(String words, Function<HttpServletRequest, @Nullable Caller> callers)
            implements ServletCallerResolver, CallersReport {
        @Override
        public @Nullable Caller apply(HttpServletRequest request) {
            return callers.apply(request);
        }
    }

    /** Nobody can be told apart, and nothing says that this is right: fit only for applications whose requests bring no keys. */
    private static final class NoServletCallers implements ServletCallerResolver {
        @Override
        public @Nullable Caller apply(HttpServletRequest request) {
            return null;
        }
    }
}
