package io.onefold.spring.boot;

import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterRemarks;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import io.onefold.http.contract.TestServiceServlet;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.web.cors.CorsUtils;

/** The business as an application on Spring Boot, with the starter's own filter before it. */
class BootDoor implements AdapterFixture {
    private static final int AS_SPRING_SECURITY = -100;

    private final String name;
    private final Class<?> handling;
    private final Consumer<GenericApplicationContext> server;
    private final Stages stages = new Stages(this::start);

    BootDoor(String name, Class<?> handling, Consumer<GenericApplicationContext> server) {
        this.name = name;
        this.handling = handling;
        this.server = server;
    }

    /**
     * @param name of its column in the report
     * @param handling what handles requests, in this generation of Spring Boot
     * @param type that of the server's factory
     */
    static <F> BootDoor of(String name, Class<?> handling, Class<F> type, Supplier<F> server) {
        return new BootDoor(name, handling, context -> context.registerBean(type, server));
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
        SpringApplication application = new SpringApplication(Application.class, handling, business());
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> register((GenericApplicationContext) context, stage));
        return application.run();
    }

    @Override
    public Optional<String> notApplicable(String caseName) {
        return AdapterRemarks.notInMvc(caseName);
    }

    @Override
    public String told(String caseName) {
        return name.contains("Tomcat") ? AdapterRemarks.inTomcat(caseName) : AdapterRemarks.inServlets(caseName);
    }

    /** What handles requests as the business does. */
    Class<?> business() {
        return BusinessController.class;
    }

    /** Has the contract made that a case asks for. */
    void register(GenericApplicationContext context, AdapterSetup setting) {
        AsProperties.register(context, setting);
    }

    private void register(GenericApplicationContext context, Stage stage) {
        server.accept(context);
        context.registerBean(Stage.class, () -> stage);
        register(context, stage.setting());
        context.registerBean(
                ServletCallerResolver.class,
                () -> request ->
                        stage.caller(request.getHeader(AdapterSetup.USER), request.getHeader(AdapterSetup.TENANT)));
        context.registerBean("usher", FilterRegistrationBean.class, () -> usher(stage));
        context.registerBean("security", FilterRegistrationBean.class, () -> security(stage));
        context.registerBean("cors", FilterRegistrationBean.class, () -> cors(stage));
    }

    private static FilterRegistrationBean<Filter> usher(Stage stage) {
        var registration = new FilterRegistrationBean<Filter>(new Usher(stage));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        registration.setAsyncSupported(true);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
        return registration;
    }

    private static FilterRegistrationBean<Filter> security(Stage stage) {
        Filter filter = (request, response, chain) -> {
            if (stage.business().admits(((HttpServletRequest) request).getHeader(AdapterSetup.USER))) {
                chain.doFilter(request, response);
            } else {
                ((HttpServletResponse) response).sendError(403);
            }
        };
        var registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(AS_SPRING_SECURITY);
        registration.setAsyncSupported(true);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        return registration;
    }

    /** Preflights, which Spring MVC answers by itself: the business has them as the application's own filter would. */
    private static FilterRegistrationBean<Filter> cors(Stage stage) {
        Filter filter = (request, response, chain) -> {
            if (CorsUtils.isPreFlightRequest((HttpServletRequest) request)) {
                new TestServiceServlet(stage.business()).service(request, response);
            } else {
                chain.doFilter(request, response);
            }
        };
        var registration = new FilterRegistrationBean<>(filter);
        registration.setAsyncSupported(true);
        return registration;
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        OnefoldAutoConfiguration.class,
        RequestAutoConfiguration.class,
        HttpContractAutoConfiguration.class,
        ServletFilterAutoConfiguration.class,
        ReportAutoConfiguration.class
    })
    static class Application {}
}
