package io.onefold.http.contract;

import java.util.Optional;

/** What there is to say of cases through doors of a kind: see {@link DoorFixture#notApplicable} and {@link DoorFixture#told}. */
public final class Remarks {
    private static final String OK = "ok";
    private static final String INTERIM = "H29 what is told before the answer";

    private static final String PASSED_CUT = "H47 an answer that passes";
    private static final String OLD_CUT = "H47 a client of HTTP 1 0";

    private Remarks() {}

    /** Of any servlet container. */
    public static Optional<String> notInServlets(String name) {
        if (name.startsWith(PASSED_CUT)) {
            return Optional.of("a filter does not touch what passes: how a cut shows is the container's own");
        }
        if (name.startsWith(OLD_CUT)) {
            return Optional.of("servlets have no way to reset a connection, and HTTP/1.0 has no other sign of a cut");
        }
        return name.endsWith("that send slowly hold no thread each")
                ? Optional.of(
                        "a servlet filter reads bodies on threads of the container, within the container's timeouts")
                : Optional.empty();
    }

    /** Of handlers of Spring MVC. */
    public static Optional<String> notInMvc(String name) {
        return name.startsWith("H12 H13 a body without a key")
                ? Optional.of(
                        "Spring MVC hands bodies to these handlers as a whole (the filter before them is that of servlets)")
                : name.startsWith("H47 a long answer that breaks off")
                        ? Optional.of("these handlers return an answer as a whole, unless it is one of events")
                        : notInServlets(name);
    }

    /** Of WebFlux. */
    public static Optional<String> notInWebFlux(String name) {
        return name.startsWith(INTERIM) || name.startsWith("H29 trailers")
                ? Optional.of("WebFlux has no way to send interim answers and trailers")
                : name.startsWith(OLD_CUT)
                        ? Optional.of(
                                "WebFlux has no way to reset a connection, and HTTP/1.0 has no other sign of a cut")
                        : Optional.empty();
    }

    public static String inServlets(String name) {
        return name.startsWith(INTERIM)
                ? "n/a because servlets have no way to send interim answers, and what they ask for by sendError is not sent"
                : OK;
    }

    public static String inTomcat(String name) {
        return name.startsWith("H14 a key that is refused")
                ? "ok, with continueResponseTiming=onRead at the connector, which is not the default"
                : inServlets(name);
    }

    public static String inGateways(String name) {
        return name.startsWith("H21")
                ? "n/a because a gateway sees no exceptions: of a service that hangs up nobody knows what it has done"
                : OK;
    }
}
