package io.onefold.spring.boot;

import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.contract.Business;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Setting;
import io.onefold.store.Store;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.EnumSet;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.web.server.servlet.ServletWebServerFactory;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Configuration;

/**
 * The business as an application on Spring Boot, with the starter's own filter before it.
 *
 * @param name of its column in the report
 */
record BootDoor(String name, Supplier<ServletWebServerFactory> server) implements DoorFixture {
    private static final int AS_SPRING_SECURITY = -100;

    @Override
    public Door open(Setting setting, Business business) {
        var context = new AnnotationConfigServletWebServerApplicationContext();
        context.register(Application.class);
        context.registerBean(ServletWebServerFactory.class, server);
        context.registerBean(Store.class, setting::store);
        context.registerBean(HttpContract.class, () -> setting.contract(context.getBean(Onefold.class)));
        context.registerBean(
                ServletCallers.class,
                () -> request -> setting.caller(request.getHeader(Setting.USER), request.getHeader(Setting.TENANT)));
        context.registerBean("security", FilterRegistrationBean.class, () -> security(business));
        context.registerBean("business", ServletRegistrationBean.class, () -> {
            var registration = new ServletRegistrationBean<>(new BusinessServlet(business), "/");
            registration.setAsyncSupported(true);
            return registration;
        });
        context.refresh();
        return new Listening(context);
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
        ServletAutoConfiguration.class,
        ReportAutoConfiguration.class
    })
    static class Application {}

    private record Listening(AnnotationConfigServletWebServerApplicationContext context) implements Door {
        @Override
        public int port() {
            return Objects.requireNonNull(context.getWebServer()).getPort();
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
