package io.onefold.http;

import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides by the head of a request what is to become of it. */
final class RequestPlanner {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY");

    private static final Problem AMBIGUOUS = Problem.of(
            Problem.ProblemType.REQUEST_INVALID,
            "The path has escaped or doubled slashes, or escapes of escapes, and may be read as another one; nothing was carried out.");

    private final HttpContract contract;
    private final HttpProfile profile;
    private final RouteTable routes;
    private final BuiltInEndpoints ownPaths;
    private final boolean strict;
    private final Clock clock;

    /** @param strict whether a key is refused where nothing asks for one */
    RequestPlanner(
            HttpContract contract,
            HttpProfile profile,
            RouteTable routes,
            BuiltInEndpoints ownPaths,
            boolean strict,
            Clock clock) {
        this.contract = contract;
        this.profile = profile;
        this.routes = routes;
        this.ownPaths = ownPaths;
        this.strict = strict;
        this.clock = clock;
    }

    RequestPlan plan(RequestHead head) {
        if (CorsHeaders.preflight(head)) {
            return passed(RequestPlan.PassReason.NOT_COVERED);
        }
        OutgoingResponse own = ownPaths.answer(head);
        if (own != null) {
            return new RequestPlan.RespondNow(contract.withCors(own, head));
        }
        if (!SAFE.contains(head.method()) && routes.isAmbiguous(head.method(), head.path())) {
            return new RequestPlan.RespondNow(contract.answer(AMBIGUOUS, head));
        }
        ProtectedOperation covered = routes.of(head.method(), head.path());
        if (covered == null) {
            return uncovered(head);
        }
        try {
            RequestPlan plan = covered(covered, head);
            return covered.shadow() && plan instanceof ProtectedExchange exchange ? observed(covered, exchange) : plan;
        } catch (ProblemException e) {
            if (covered.shadow()) {
                contract.observedRefusal(covered, e.problem());
                return passed(RequestPlan.PassReason.OBSERVED);
            }
            return new RequestPlan.RespondNow(
                    contract.answers(covered, head, null, null).problem(e.problem()));
        }
    }

    private RequestPlan covered(ProtectedOperation covered, RequestHead head) throws ProblemException {
        String key = null;
        boolean mayCome = covered.policy().contentWindow != null;
        for (KeySource source : covered.sources()) {
            mayCome |= source.inBody();
            String found = source.inBody() ? null : source.of(head, covered.syntax());
            key = found == null ? key : same(key, found);
        }
        if (profile == HttpProfile.AZURE) {
            FirstSentCheck.require(head, key, Objects.requireNonNull(covered.policy().keep), clock.instant());
        }
        mayCome |= covered.late() && covered.sources().isEmpty();
        if (key == null && !mayCome) {
            if (covered.required()) {
                throw covered.keyMissing();
            }
            return passed(RequestPlan.PassReason.NO_KEY);
        }
        if (covered.sources().isEmpty()) {
            if (covered.shared() && announced(head) > covered.body().max) {
                return passed(RequestPlan.PassReason.NO_KEY);
            }
            // whose the key is, its handler says
            return new ProtectedExchange(
                    contract, covered, head, Caller.ANONYMOUS, null, contract.answers(covered, head, null, null));
        }
        if (EventStreamType.asked(head)) {
            HttpPolicy.StreamHandling streaming = Objects.requireNonNull(covered.policy().streaming);
            if (streaming == HttpPolicy.StreamHandling.REJECT
                    || (covered.required() && streaming != HttpPolicy.StreamHandling.BYPASS)) {
                throw new ProblemException(new Problem(
                        Problem.ProblemType.NOT_SUPPORTED,
                        400,
                        "A stream of events has no end that could be kept and replayed."));
            }
            if (streaming == HttpPolicy.StreamHandling.BYPASS) {
                return passed(RequestPlan.PassReason.STREAM);
            }
        }
        Caller caller = head.caller();
        if (caller == null) {
            throw new ProblemException(
                    Problem.ProblemType.UNAUTHENTICATED, "A key means nothing without who it belongs to.");
        }
        return new ProtectedExchange(
                contract, covered, head, caller, key, contract.answers(covered, head, caller, key));
    }

    /**
     * Returns the announced length of the body. Returns 0 if none is announced or it is not understood; then the body
     * is read.
     */
    private static long announced(RequestHead head) {
        List<String> lengths = head.headers("Content-Length");
        try {
            return lengths.isEmpty() ? 0 : Long.parseLong(lengths.get(0).strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Returns the key of a request that may bring two, and rejects the request if they differ. */
    static String same(@Nullable String one, String other) throws ProblemException {
        if (one != null && !one.equals(other)) {
            throw new ProblemException(
                    Problem.ProblemType.KEY_INVALID, "The request brings two keys, and they differ.");
        }
        return other;
    }

    private RequestPlan uncovered(RequestHead head) {
        boolean keyed = routes.sources().stream().anyMatch(source -> source.present(head));
        if (keyed && strict && !SAFE.contains(head.method())) {
            Problem problem = Problem.of(
                    Problem.ProblemType.NOT_SUPPORTED, "Requests of this kind are not made safe to repeat here.");
            return new RequestPlan.RespondNow(contract.answer(problem, head));
        }
        return passed(keyed ? RequestPlan.PassReason.KEY_IGNORED : RequestPlan.PassReason.NOT_COVERED);
    }

    private RequestPlan observed(ProtectedOperation covered, ProtectedExchange exchange) {
        contract.tell(heard -> heard.passed(RequestPlan.PassReason.OBSERVED));
        return new ShadowExchange(contract, exchange, covered);
    }

    private RequestPlan passed(RequestPlan.PassReason why) {
        contract.tell(heard -> heard.passed(why));
        return new RequestPlan.PassThrough(why);
    }
}
