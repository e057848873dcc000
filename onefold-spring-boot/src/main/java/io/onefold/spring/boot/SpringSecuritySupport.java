package io.onefold.spring.boot;

import io.onefold.http.OuterExceptions;
import io.onefold.spring.boot.HttpProperties.PrincipalKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.ClassUtils;

/**
 * What is to be known of Spring Security.
 *
 * @param present whether its filter is a bean: the library alone authenticates nobody
 * @param order where that filter stands, or would
 */
record SpringSecuritySupport(boolean present, int order) {
    /** Spring Boot's for servlets unless it is configured, and Spring Security's own in WebFlux. */
    static final int USUAL_ORDER = -100;

    private static final int AFTER = 10;

    /** What its filter translates into answers; by their names, for it need not be there. */
    private static final List<String> TRANSLATED = List.of(
            "org.springframework.security.access.AccessDeniedException",
            "org.springframework.security.core.AuthenticationException");

    /** Who says whose keys they are. */
    <C> C callers(@Nullable PrincipalKind chosen, C anonymous, C authenticated, C nobody) {
        if (chosen == PrincipalKind.ANONYMOUS) {
            return anonymous;
        }
        return chosen == PrincipalKind.SECURITY || present ? authenticated : nobody;
    }

    /**
     * The exceptions that filters before Onefold's translate: those of Spring Security if its filter is there, and those that are chosen.
     */
    OuterExceptions outerExceptions(List<Class<? extends Throwable>> chosen) {
        List<Class<? extends Throwable>> types = new ArrayList<>(chosen);
        for (String name : present ? TRANSLATED : List.<String>of()) {
            types.add(ClassUtils.resolveClassName(name, SpringSecuritySupport.class.getClassLoader())
                    .asSubclass(Throwable.class));
        }
        return new OuterExceptions(types);
    }

    /** Behind it: who is turned away there must not get an earlier answer, and before it nobody is authenticated. */
    int filterOrder(@Nullable Integer chosen) {
        if (present && chosen != null && chosen <= order) {
            throw new InvalidConfigurationPropertyValueException(
                    "onefold.http.filter-order",
                    chosen,
                    "Onefold's filter must stand after that of Spring Security, whose order is " + order
                            + ": leave the property out, or set more than " + order);
        }
        return chosen == null ? order + AFTER : chosen;
    }
}
