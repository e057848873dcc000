package io.onefold.spring.boot;

import io.onefold.spring.boot.HttpProperties.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * What is to be known of Spring Security.
 *
 * @param present whether its filter is a bean: the library alone authenticates nobody
 * @param order where that filter stands, or would
 */
record Security(boolean present, int order) {
    /** Spring Boot's for servlets unless it is configured, and Spring Security's own in WebFlux. */
    static final int USUAL_ORDER = -100;

    private static final int AFTER = 10;

    /** Who says whose keys they are. */
    <C> C callers(@Nullable Principal chosen, C anonymous, C authenticated, C nobody) {
        if (chosen == Principal.ANONYMOUS) {
            return anonymous;
        }
        return chosen == Principal.SECURITY || present ? authenticated : nobody;
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
