package io.onefold.http.contract;

import java.util.List;
import java.util.Optional;

/**
 * Remarks on cases that adapters of one kind share: see {@link AdapterFixture#notApplicable} and
 * {@link AdapterFixture#told}.
 */
public final class AdapterRemarks {
    private static final String OK = "ok";
    private static final String INTERIM = "H29 what is told before the answer";

    private static final String PASSED_CUT = "H47 an answer that passes";
    private static final String OLD_CUT = "H47 a client of HTTP 1 0";

    private static final List<String> JOINED_THROWN = List.of(
            "H17 some answers are never kept",
            "H18 what says that it was not executed",
            "H18 a request that was not executed",
            "H19 a route may keep successes only",
            "H19 a route may name more",
            "H20 a route may try again",
            "H20 an answer of 500 that was not executed",
            "H20 azure executes again",
            "H20 legacy executes again",
            "H39 an answer that is not kept",
            "H45 a derived key");
    private static final List<String> JOINED_LEASED = List.of(
            "H23",
            "H38 an outcome that nobody knows",
            "H44 H23",
            "H44 only who",
            "H44 the address",
            "H44 asking",
            "H44 nothing");

    private AdapterRemarks() {}

    /** Returns the reason why a case does not apply to any servlet container. */
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

    /** Returns the reason why a case does not apply to handlers of Spring MVC. */
    public static Optional<String> notInMvc(String name) {
        return name.startsWith("H12 H13 a body without a key")
                ? Optional.of(
                        "Spring MVC hands bodies to these handlers as a whole (the filter before them is that of servlets)")
                : name.startsWith("H47 a long answer that breaks off")
                        ? Optional.of("these handlers return an answer as a whole, unless it is one of events")
                        : notInServlets(name);
    }

    /** Returns the reason why a case does not apply to WebFlux. */
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

    /**
     * Returns the reason why a case does not apply to transactional handlers, whose records are part of their
     * transactions.
     */
    public static Optional<String> notJoined(String name) {
        if (name.startsWith("H42 a route may be open") || name.startsWith("H42 H45 what passes unprotected")) {
            return Optional.of("the store is the database of the handler, which cannot run either while that is down");
        }
        if (name.startsWith("H31 stripe is told not to repeat what nobody knows")) {
            return Optional.of("what the handler returned is kept with its effect: nothing of it is unknown");
        }
        if (name.startsWith("S16 spellings that lead to no other route pass")) {
            return Optional.of("the handler itself is for all paths, and wants a key on each");
        }
        if (name.startsWith("H01 two places that disagree")) {
            return Optional.of("an annotation names one place for the key, and is refused if it names more");
        }
        if (name.startsWith("H16 who asks is settled before a body is read")) {
            return Optional.of(
                    "an annotation finds a key in a body by its handler's arguments, which are made of the body");
        }
        return notInMvc(name);
    }

    /** The same, of what holds in another way. */
    public static String joined(String name) {
        if (JOINED_THROWN.stream().anyMatch(name::startsWith)) {
            return "ok, for answers to exceptions; one that was returned is kept, since its effect is committed";
        }
        if (JOINED_LEASED.stream().anyMatch(name::startsWith)) {
            return "ok, for records from before the handler joined; none that it writes itself is in doubt";
        }
        if (name.startsWith("H20 a route may take 500")) {
            return "ok, and kept: the effect of what was returned is committed, whatever 500 means";
        }
        if (name.startsWith("H21 what has thrown")
                || name.startsWith("H37 events without")
                || name.startsWith("H47 events")) {
            return "ok, and executed again: what has thrown was rolled back";
        }
        if (name.startsWith("H16 B16") || name.startsWith("H16 another request")) {
            return "ok, once the first is committed; before that nobody else knows what it is";
        }
        if (name.startsWith("H42 the true answer")) {
            return "ok, and made again of what was returned, which is recorded with the effect";
        }
        return name.startsWith("H27 a longer answer") || name.startsWith("H27 a route may keep less")
                ? "ok, and replayed all the same if it can be made again of what was returned"
                : inTomcat(name);
    }
}
