package io.onefold.spring.boot;

import org.jspecify.annotations.Nullable;

/** These modules are not for the Spring Boot that is there. */
final class WrongBootException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String FOUR = "4.";
    private static final String THREE = "3.5.";

    private final String remedy;

    private WrongBootException(String message, String remedy) {
        super(message);
        this.remedy = remedy;
    }

    /**
     * @param version null if nobody knows, as in a jar that was repacked
     * @param three whether the module for Spring Boot 3 is there, which stands on that for 4
     */
    static void unlessFits(@Nullable String version, boolean three) {
        if (version == null || version.startsWith(three ? THREE : FOUR)) {
            return;
        }
        String module =
                three ? "onefold-spring-boot3 is for Spring Boot 3.5" : "onefold-spring-boot is for Spring Boot 4";
        throw new WrongBootException(module + ", and this is Spring Boot " + version + ".", remedy(version, three));
    }

    private static String remedy(String version, boolean three) {
        if (version.startsWith(FOUR)) {
            return "Use onefold-spring-boot-starter in place of onefold-spring-boot3-starter.";
        }
        if (version.startsWith(THREE) && !three) {
            return "Use onefold-spring-boot3-starter in place of onefold-spring-boot-starter.";
        }
        return "Use Spring Boot 4 with onefold-spring-boot-starter, or Spring Boot 3.5 with onefold-spring-boot3-starter.";
    }

    String remedy() {
        return remedy;
    }
}
