package io.onefold.spring.boot;

import org.jspecify.annotations.Nullable;

/** These modules are not for the Spring Boot that is there. */
final class WrongBootException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private WrongBootException(String version) {
        super("onefold-spring-boot is for Spring Boot 4, and this is Spring Boot " + version + ".");
    }

    /** @param version null if nobody knows, as in a jar that was repacked */
    static void unlessFor(@Nullable String version) {
        if (version != null && !version.startsWith("4.")) {
            throw new WrongBootException(version);
        }
    }
}
