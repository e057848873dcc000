package io.onefold.spring.boot;

import io.onefold.http.contract.Business;
import io.onefold.http.contract.BusinessServlet;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Setting;
import io.onefold.store.Store;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The business as an application on Spring Boot, with the starter's own filter before it.
 *
 * @param name of its column in the report
 * @param type that of the server's factory
 */
record BootDoor(String name, Class<?> type, Supplier<?> server) implements DoorFixture {
    private static final int AS_SPRING_SECURITY = -100;

    /** Of this generation of Spring Boot or another. */
    static <F> BootDoor of(String name, Class<F> type, Supplier<F> server) {
        return new BootDoor(name, type, server);
    }

    @Override
    public Door open(Setting setting, Business business) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> register((GenericApplicationContext) context, setting, business));
        return new Listening(application.run());
    }

    private void register(GenericApplicationContext context, Setting setting, Business business) {
        registerServer(context, type);
        context.registerBean(Store.class, setting::store);
        AsProperties.register(context, setting);
        context.registerBean(
                ServletCallers.class,
                () -> request -> setting.caller(request.getHeader(Setting.USER), request.getHeader(Setting.TENANT)));
        context.registerBean("security", FilterRegistrationBean.class, () -> security(business));
        context.registerBean("business", ServletRegistrationBean.class, () -> {
            var registration = new ServletRegistrationBean<>(new BusinessServlet(business), "/");
            registration.setAsyncSupported(true);
            return registration;
        });
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
