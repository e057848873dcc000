package io.onefold.spring.boot;

import io.onefold.http.contract.Business;
import io.onefold.http.contract.BusinessServlet;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Remarks;
import io.onefold.http.contract.Setting;
import io.onefold.store.Store;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.cors.CorsUtils;

/**
 * The business as an application on Spring Boot, with the starter's own filter before it.
 *
 * @param name of its column in the report
 * @param handling what handles requests, in this generation of Spring Boot
 * @param type that of the server's factory
 */
record BootDoor(String name, Class<?> handling, Class<?> type, Supplier<?> server) implements DoorFixture {
    private static final int AS_SPRING_SECURITY = -100;

    static <F> BootDoor of(String name, Class<?> handling, Class<F> type, Supplier<F> server) {
        return new BootDoor(name, handling, type, server);
    }

    @Override
    public Door open(Setting setting, Business business) {
        SpringApplication application = new SpringApplication(Application.class, handling);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> register((GenericApplicationContext) context, setting, business));
        return new Listening(application.run());
    }

    @Override
    public Optional<String> notApplicable(String caseName) {
        return tomcat() ? Remarks.notInMvc(caseName) : Remarks.notInServlets(caseName);
    }

    @Override
    public String told(String caseName) {
        return tomcat() ? Remarks.inTomcat(caseName) : Remarks.inServlets(caseName);
    }

    /** Where the business is handlers of Spring MVC. */
    private boolean tomcat() {
        return type.getSimpleName().startsWith("Tomcat");
    }

    private void register(GenericApplicationContext context, Setting setting, Business business) {
        registerServer(context, type);
        context.registerBean(Store.class, setting::store);
        AsProperties.register(context, setting);
        context.registerBean(
                ServletCallers.class,
                () -> request -> setting.caller(request.getHeader(Setting.USER), request.getHeader(Setting.TENANT)));
        context.registerBean("security", FilterRegistrationBean.class, () -> security(business));
        context.registerBean("cors", FilterRegistrationBean.class, () -> cors(business));
        context.registerBean(Business.class, () -> business);
    }

    private <F> void registerServer(GenericApplicationContext context, Class<F> factory) {
        context.registerBean(factory, () -> factory.cast(server.get()));
    }

    private static FilterRegistrationBean<Filter> security(Business business) {
        Filter filter = (request, response, chain) -> {
            if (business.admits(((HttpServletRequest) request).getHeader(Setting.USER))) {
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
    private static FilterRegistrationBean<Filter> cors(Business business) {
        BusinessServlet servlet = new BusinessServlet(business);
        Filter filter = (request, response, chain) -> {
            if (CorsUtils.isPreFlightRequest((HttpServletRequest) request)) {
                servlet.service(request, response);
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
        ContractAutoConfiguration.class,
        ServletAutoConfiguration.class,
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
