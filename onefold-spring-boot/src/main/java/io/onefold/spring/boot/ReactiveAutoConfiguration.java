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
@AutoConfiguration(after = ContractAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(RequestMappingInfoHandlerMapping.class)
@ConditionalOnOnefold
class ReactiveAutoConfiguration {
    /** The bean of Spring Security's filter: the library alone authenticates nobody. */
    private static final String SECURITY =
            "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration.WebFilterChainFilter";

    @Bean
    @ConditionalOnMissingBean
    Security onefoldSecurity(BeanFactory beans) {
        return new Security(beans.containsBean(SECURITY), Security.USUAL_ORDER);
    }

    @Bean
    @ConditionalOnMissingBean
    ReactiveCallers onefoldCallers(OnefoldProperties properties, Security security) {
        PrincipalCallerResolver principals = properties.http().principals();
        return security.<ReactiveCallers>callers(
                properties.http().principal(),
                new Told(CallersReport.NOT_AT_ALL, IdempotencyWebFilter.ANONYMOUS),
                new Told(
                        CallersReport.authenticated(principals, security.present()),
                        IdempotencyWebFilter.userPrincipal(principals)),
                new Nobody());
    }

    @Bean
    @ConditionalOnMissingBean(RequestResolver.class)
    ReactiveRequestResolver onefoldRequests(
            OnefoldProperties properties,
            ReactiveCallers callers,
            Security security,
            ObjectProvider<Contracts> contracts,
            ObjectProvider<IdempotentMethodRegistry> methods) {
        SingletonSupplier<Boolean> asked =
                SingletonSupplier.of(() -> methods.getObject().all().stream().anyMatch(IdempotentMethod::asksCaller));
        // for each request: looked up, and not collected and sorted again
        SingletonSupplier<Set<String>> telling =
                SingletonSupplier.of(() -> ReactiveRouting.telling(methods.getObject()));
        return new ReactiveRequestResolver(
                callers,
                asked::obtain,
                operation -> telling.obtain().contains(operation),
                (operation, handler) -> HandlerMappingRoutes.isSeen(operation, handler, methods.getObject()),
                Contracts.marker(contracts, properties),
                properties.http().enabled(),
                security.filterOrder(properties.http().filterOrder()) + 1);
    }

    @Bean
    @ConditionalOnMissingBean(Mappings.class)
    ReactiveRouting onefoldHandlerRouting(
            ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
            IdempotentMethodRegistry methods,
            OnefoldProperties properties) {
        return new ReactiveRouting(mappings, methods, properties.http().mutating());
    }

    @Bean
    @ConditionalOnMissingBean
    HttpReport onefoldHttpReport(
            ObjectProvider<Contracts> contracts,
            IdempotentMethodRegistry methods,
            ReactiveCallers callers,
            ObjectProvider<Mappings> handlers) {
        return new HttpReport(contracts, methods, callers, callers instanceof Nobody, handlers);
    }

    /** Callers, and what tells them apart. */
    private record Told(String words, Function<ServerWebExchange, Mono<Caller>> callers)
            implements ReactiveCallers, CallersReport {
        @Override
        public Mono<Caller> apply(ServerWebExchange exchange) {
            return callers.apply(exchange);
        }
    }

    /** Nobody can be told apart, and nothing says that this is right. */
    private static final class Nobody implements ReactiveCallers {
        @Override
        public Mono<Caller> apply(ServerWebExchange exchange) {
            return Mono.empty();
        }
    }

    /** Requests are looked at before their handlers see them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Contracts.class)
    static class Filtered {
        @Bean
        @ConditionalOnMissingBean(name = "onefoldFilter")
        ContractWebFilter onefoldFilter(
                OnefoldProperties properties,
                Contracts contracts,
                ReactiveCallers callers,
                Security security,
                ObjectProvider<WebExceptionHandler> errorHandlers,
                ObjectProvider<ServerCodecConfigurer> codecs) {
            return new ContractWebFilter(
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
        ReactiveProblemHandler onefoldProblems(Contracts contracts) {
            return new ReactiveProblemHandler(contracts);
        }
    }
}
