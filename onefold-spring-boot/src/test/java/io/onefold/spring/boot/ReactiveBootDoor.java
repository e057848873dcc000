package io.onefold.spring.boot;

import io.onefold.http.contract.Business;
import io.onefold.http.contract.BusinessWebHandler;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Remarks;
import io.onefold.http.contract.Setting;
import io.onefold.store.Store;
import java.util.Optional;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * The business as handlers of WebFlux on reactor-netty, with the starter's own filter before them.
 *
 * @param name of its column in the report
 * @param handling what makes a handler of requests of what there is, in this generation of Spring Boot
 */
record ReactiveBootDoor(String name, Class<?> handling) implements DoorFixture {
    @Override
    public Door open(Setting setting, Business business) {
        SpringApplication application = new SpringApplication(Application.class, handling);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> register((GenericApplicationContext) context, setting, business));
        return new Listening(application.run());
    }

    @Override
    public Optional<String> notApplicable(String caseName) {
        return Remarks.notInWebFlux(caseName);
    }

    private static void register(GenericApplicationContext context, Setting setting, Business business) {
        context.registerBean(Store.class, setting::store);
        AsProperties.register(context, setting);
        context.registerBean(
                ReactiveCallers.class,
                () -> exchange -> Mono.justOrEmpty(setting.caller(
                        exchange.getRequest().getHeaders().getFirst(Setting.USER),
                        exchange.getRequest().getHeaders().getFirst(Setting.TENANT))));
        context.registerBean("security", WebFilter.class, () -> new Security(business));
        context.registerBean("cors", WebFilter.class, () -> preflights(business));
        context.registerBean(Business.class, () -> business);
        context.registerBean(ReactiveBusinessController.class);
    }

    /** Preflights, which WebFlux answers by itself: the business has them as the application's own filter would. */
    private static WebFilter preflights(Business business) {
        BusinessWebHandler handler = new BusinessWebHandler(business);
        return (exchange, chain) ->
                CorsUtils.isPreFlightRequest(exchange.getRequest()) ? handler.handle(exchange) : chain.filter(exchange);
    }

    /** Where Spring Security stands. */
    @Order(-100)
    private record Security(Business business) implements WebFilter {
        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            if (business.admits(exchange.getRequest().getHeaders().getFirst(Setting.USER))) {
                return chain.filter(exchange);
            }
            exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
            return exchange.getResponse().setComplete();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(ReactiveApplication.Server.class)
    @ImportAutoConfiguration({
        OnefoldAutoConfiguration.class,
        ContractAutoConfiguration.class,
        ReactiveAutoConfiguration.class,
        ReportAutoConfiguration.class
    })
    static class Application {}

    private record Listening(ConfigurableApplicationContext context) implements Door {
        @Override
        public int port() {
            return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
