package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterRemarks;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import io.onefold.http.contract.TestServiceWebHandler;
import java.util.Optional;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** The business as handlers of WebFlux on reactor-netty, with the starter's own filter before them. */
final class ReactiveBootDoor implements AdapterFixture {
    private final String name;
    private final Class<?> handling;
    private final Stages stages = new Stages(this::start);

    /**
     * @param name of its column in the report
     * @param handling what makes a handler of requests of what there is, in this generation of Spring Boot
     */
    ReactiveBootDoor(String name, Class<?> handling) {
        this.name = name;
        this.handling = handling;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public RunningAdapter open(AdapterSetup setting, TestService business) {
        return stages.open(setting, business);
    }

    /** When no case is left. */
    void close() {
        stages.close();
    }

    private ConfigurableApplicationContext start(Stage stage) {
        SpringApplication application = new SpringApplication(Application.class, handling);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> register((GenericApplicationContext) context, stage));
        return application.run();
    }

    @Override
    public Optional<String> notApplicable(String caseName) {
        return AdapterRemarks.notInWebFlux(caseName);
    }

    private static void register(GenericApplicationContext context, Stage stage) {
        context.registerBean(Stage.class, () -> stage);
        AsProperties.register(context, stage.setting());
        context.registerBean(
                ReactiveCallerResolver.class,
                () -> exchange -> Mono.justOrEmpty(stage.caller(
                        exchange.getRequest().getHeaders().getFirst(AdapterSetup.USER),
                        exchange.getRequest().getHeaders().getFirst(AdapterSetup.TENANT))));
        context.registerBean("usher", WebFilter.class, () -> new Usher(stage));
        context.registerBean("security", WebFilter.class, () -> new Security(stage));
        context.registerBean("cors", WebFilter.class, () -> preflights(stage));
        context.registerBean(ReactiveBusinessController.class);
    }

    /** Stands before all other filters, and counts the requests until their end. */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    private record Usher(Stage stage) implements WebFilter {
        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            return Mono.defer(() -> {
                stage.begins();
                return chain.filter(exchange).doFinally(end -> {
                    if (end != SignalType.ON_COMPLETE) {
                        stage.spoil();
                    }
                    stage.ends();
                });
            });
        }
    }

    /** Preflights, which WebFlux answers by itself: the business has them as the application's own filter would. */
    private static WebFilter preflights(Stage stage) {
        return (exchange, chain) -> CorsUtils.isPreFlightRequest(exchange.getRequest())
                ? new TestServiceWebHandler(stage.business()).handle(exchange)
                : chain.filter(exchange);
    }

    /** Where Spring Security stands. */
    @Order(-100)
    private record Security(Stage stage) implements WebFilter {
        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            if (stage.business().admits(exchange.getRequest().getHeaders().getFirst(AdapterSetup.USER))) {
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
        HttpContractAutoConfiguration.class,
        WebFluxFilterAutoConfiguration.class,
        ReportAutoConfiguration.class
    })
    static class Application {}
}
