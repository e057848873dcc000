package io.onefold.http.doors;

import io.onefold.Onefold;
import io.onefold.http.contract.Business;
import io.onefold.http.contract.Setting;
import io.onefold.http.servlet.IdempotencyFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.EnumSet;
import java.util.Optional;

/** An application with the filter in it, in whichever container. */
final class ServletDoor {
    private ServletDoor() {}

    static Optional<String> notApplicable(String name) {
        boolean forwarding =
                name.startsWith("H45 a derived key") || name.startsWith("H45 the key may be told to nobody");
        return forwarding
                ? Optional.of("the filter leaves the header as it came; an application derives keys from its attempt")
                : Optional.empty();
    }

    static void deploy(ServletContext context, Setting setting, Business business) {
        Onefold onefold = Onefold.on(setting.store());
        add(context, "security", new Security(business));
        add(
                context,
                "onefold",
                new IdempotencyFilter(
                        setting.contract(onefold),
                        request -> setting.caller(request.getHeader(Setting.USER), request.getHeader(Setting.TENANT))));
        Servlet servlet = new BusinessServlet(business);
        ServletRegistration.Dynamic registered = context.addServlet("business", servlet);
        registered.setAsyncSupported(true);
        registered.addMapping("/");
    }

    private static void add(ServletContext context, String name, Filter filter) {
        FilterRegistration.Dynamic registered = context.addFilter(name, filter);
        registered.setAsyncSupported(true);
        registered.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
    }
}
