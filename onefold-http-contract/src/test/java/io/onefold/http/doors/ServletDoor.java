package io.onefold.http.doors;

import io.onefold.Onefold;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.TestService;
import io.onefold.http.contract.TestServiceServlet;
import io.onefold.http.servlet.IdempotencyFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.EnumSet;

/** An application with the filter in it, in whichever container. */
final class ServletDoor {
    private ServletDoor() {}

    static void deploy(ServletContext context, AdapterSetup setting, TestService business) {
        Onefold onefold = Onefold.on(setting.store());
        add(context, "security", new Security(business));
        filter(setting, onefold).addTo(context, "/*");
        add(context, business);
    }

    static IdempotencyFilter filter(AdapterSetup setting, Onefold onefold) {
        return new IdempotencyFilter(
                setting.contract(onefold),
                request ->
                        setting.caller(request.getHeader(AdapterSetup.USER), request.getHeader(AdapterSetup.TENANT)));
    }

    static void add(ServletContext context, TestService business) {
        Servlet servlet = new TestServiceServlet(business);
        ServletRegistration.Dynamic registered = context.addServlet("business", servlet);
        registered.setAsyncSupported(true);
        registered.addMapping("/");
    }

    static void add(ServletContext context, String name, Filter filter) {
        FilterRegistration.Dynamic registered = context.addFilter(name, filter);
        registered.setAsyncSupported(true);
        registered.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
    }
}
