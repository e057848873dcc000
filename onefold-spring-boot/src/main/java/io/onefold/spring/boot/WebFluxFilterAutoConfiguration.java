package io.onefold.spring.boot;

import io.onefold.http.Caller;
import io.onefold.http.PrincipalCallerResolver;
import io.onefold.spring.IdempotentMethod;
import io.onefold.spring.IdempotentMethodRegistry;
import io.onefold.spring.RequestResolver;
import io.onefold.spring.web.HandlerMappingRoutes;
import io.onefold.spring.webflux.IdempotencyWebFilter;
import io.onefold.spring.webflux.ReactiveProblemHandler;
import io.onefold.spring.webflux.ReactiveRequestResolver;
import java.util.Set;
import java.util.function.Function;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** The HTTP contract in WebFlux. */
@AutoConfiguration(after = HttpContractAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(RequestMappingInfoHandlerMapping.class)
@ConditionalOnOnefold
class WebFluxFilterAutoConfiguration {
    /** The bean of Spring Security's filter: the library alone authenticates nobody. */
    private static final String SECURITY =
            "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration.WebFilterChainFilter";

    @Bean
    @ConditionalOnMissingBean
    SpringSecuritySupport onefoldSecurity(BeanFactory beans) {
        return new SpringSecuritySupport(beans.containsBean(SECURITY), SpringSecuritySupport.USUAL_ORDER);
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveCallerResolver onefoldCallers(OnefoldProperties properties, SpringSecuritySupport security) {
        PrincipalCallerResolver principals = properties.http().principals();
        return security.<ReactiveCallerResolver>callers(
                properties.http().principal(),
                new ReactiveCallersReport(CallersReport.NOT_AT_ALL, IdempotencyWebFilter.ANONYMOUS),
                new ReactiveCallersReport(
                        CallersReport.authenticated(principals, security.present()),
                        IdempotencyWebFilter.userPrincipal(principals)),
                new NoReactiveCallers());
    }

    @Bean
    @ConditionalOnMissingBean(RequestResolver.class)
    ReactiveRequestResolver onefoldRequests(
            OnefoldProperties properties,
            ReactiveCallerResolver callers,
            SpringSecuritySupport security,
            ObjectProvider<CurrentHttpContract> contracts,
            ObjectProvider<IdempotentMethodRegistry> methods) {
        SingletonSupplier<Boolean> asked =
                SingletonSupplier.of(() -> methods.getObject().all().stream().anyMatch(IdempotentMethod::asksCaller));
        // for each request: looked up, and not collected and sorted again
        SingletonSupplier<Set<String>> telling =
                SingletonSupplier.of(() -> WebFluxRouting.telling(methods.getObject()));
        return new ReactiveRequestResolver(
                callers,
                asked::obtain,
                operation -> telling.obtain().contains(operation),
                (operation, handler) -> HandlerMappingRoutes.isSeen(operation, handler, methods.getObject()),
                CurrentHttpContract.marker(contracts, properties),
                properties.http().enabled(),
                security.filterOrder(properties.http().filterOrder()) + 1);
    }

    @Bean
    @ConditionalOnMissingBean(EndpointMappings.class)
    WebFluxRouting onefoldHandlerRouting(
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethodRegistry methods,
            OnefoldProperties properties) {
        return new WebFluxRouting(mappings, methods, properties.http().mutating());
    }

    @Bean
    @ConditionalOnMissingBean
    HttpReport onefoldHttpReport(
            ObjectProvider<CurrentHttpContract> contracts,
            IdempotentMethodRegistry methods,
            ReactiveCallerResolver callers,
            ObjectProvider<EndpointMappings> handlers) {
        return new HttpReport(contracts, methods, callers, callers instanceof NoReactiveCallers, handlers);
    }

    /** Callers, and what tells them apart. */
    private record ReactiveCallersReport(String words, Function<ServerWebExchange, Mono<Caller>> callers)
            implements ReactiveCallerResolver, CallersReport {
        @Override
        public Mono<Caller> apply(ServerWebExchange exchange) {
            return callers.apply(exchange);
        }
    }

    /** Nobody can be told apart, and nothing says that this is right. */
    private static final class NoReactiveCallers implements ReactiveCallerResolver {
        @Override
        public Mono<Caller> apply(ServerWebExchange exchange) {
            return Mono.empty();
        }
    }

    /** Requests are looked at before their handlers see them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(CurrentHttpContract.class)
    static class WebFilterConfiguration {
        @Bean
        @ConditionalOnMissingBean(name = "onefoldFilter")
        RefreshableWebFilter onefoldFilter(
                OnefoldProperties properties,
                CurrentHttpContract contracts,
                ReactiveCallerResolver callers,
                SpringSecuritySupport security,
                ObjectProvider<WebExceptionHandler> errorHandlers,
                ObjectProvider<ServerCodecConfigurer> codecs) {
            return new RefreshableWebFilter(
                    contracts,
                    callers,
                    filter -> {
                        ServerCodecConfigurer own = codecs.getIfAvailable();
                        return (own == null ? filter : filter.codecs(own))
                                .outerExceptions(security.outerExceptions(
                                        properties.http().outerExceptions()))
                                .errorHandlers(errorHandlers.orderedStream().toList());
                    },
                    security.filterOrder(properties.http().filterOrder()));
        }

        @Bean
        @ConditionalOnMissingBean
        ReactiveProblemHandler onefoldProblems(CurrentHttpContract contracts) {
            return new ReactiveProblemHandler(contracts);
        }
    }
}
