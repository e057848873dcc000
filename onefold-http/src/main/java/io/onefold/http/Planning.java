package io.onefold.http;

import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides by the head of a request what is to become of it. */
final class Planning {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "QUERY");

    private static final Problem AMBIGUOUS = Problem.of(
            Problem.Type.REQUEST_INVALID,
            "The path has escaped or doubled slashes, or escapes of escapes, and may be read as another one; nothing was carried out.");

    private final HttpContract contract;
    private final Profile profile;
    private final Routes routes;
    private final OwnPaths ownPaths;
    private final boolean strict;
    private final Clock clock;

    /** @param strict whether a key is refused where nothing asks for one */
    Planning(HttpContract contract, Profile profile, Routes routes, OwnPaths ownPaths, boolean strict, Clock clock) {
        this.contract = contract;
        this.profile = profile;
        this.routes = routes;
        this.ownPaths = ownPaths;
        this.strict = strict;
        this.clock = clock;
    }

    Plan plan(Head head) {
        if (Cors.preflight(head)) {
            return passed(Plan.Reason.NOT_COVERED);
        }
        Answer own = ownPaths.answer(head);
        if (own != null) {
            return new Plan.Answered(contract.withCors(own, head));
        }
        if (!SAFE.contains(head.method()) && routes.isAmbiguous(head.method(), head.path())) {
            return new Plan.Answered(contract.answer(AMBIGUOUS, head));
        }
        Covered covered = routes.of(head.method(), head.path());
        if (covered == null) {
            return uncovered(head);
        }
        try {
            Plan plan = covered(covered, head);
            return covered.shadow() && plan instanceof Exchange exchange ? observed(covered, exchange) : plan;
        } catch (RejectedException e) {
            if (covered.shadow()) {
                contract.observedRefusal(covered, e.problem());
                return passed(Plan.Reason.OBSERVED);
            }
            return new Plan.Answered(contract.answers(covered, head, null, null).problem(e.problem()));
        }
    }

    private Plan covered(Covered covered, Head head) throws RejectedException {
        String key = null;
        boolean mayCome = covered.policy().contentWindow != null;
        for (KeySource source : covered.sources()) {
            mayCome |= source.inBody();
            String found = source.inBody() ? null : source.of(head, covered.syntax());
            key = found == null ? key : same(key, found);
        }
        if (profile == Profile.AZURE) {
            FirstSent.require(head, key, Objects.requireNonNull(covered.policy().keep), clock.instant());
        }
        mayCome |= covered.late() && covered.sources().isEmpty();
        if (key == null && !mayCome) {
            if (covered.required()) {
                throw covered.keyMissing();
            }
            return passed(Plan.Reason.NO_KEY);
        }
        if (covered.sources().isEmpty()) {
            if (covered.shared() && announced(head) > covered.body().max) {
                return passed(Plan.Reason.NO_KEY);
            }
            // whose the key is, its handler says
            return new Exchange(
                    contract, covered, head, Caller.ANONYMOUS, null, contract.answers(covered, head, null, null));
        }
        if (EventStream.asked(head)) {
            Policy.Streaming streaming = Objects.requireNonNull(covered.policy().streaming);
            if (streaming == Policy.Streaming.REJECT || (covered.required() && streaming != Policy.Streaming.BYPASS)) {
                throw new RejectedException(new Problem(
                        Problem.Type.NOT_SUPPORTED,
                        400,
                        "A stream of events has no end that could be kept and replayed."));
            }
            if (streaming == Policy.Streaming.BYPASS) {
                return passed(Plan.Reason.STREAM);
            }
        }
        Caller caller = head.caller();
        if (caller == null) {
            throw new RejectedException(Problem.Type.UNAUTHENTICATED, "A key means nothing without who it belongs to.");
        }
        return new Exchange(contract, covered, head, caller, key, contract.answers(covered, head, caller, key));
    }

    /** How long the body is said to be; 0 if that is not said, or not understood: then it is read. */
    private static long announced(Head head) {
        List<String> lengths = head.headers("Content-Length");
        try {
            return lengths.isEmpty() ? 0 : Long.parseLong(lengths.get(0).strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Of two keys in one request. */
    static String same(@Nullable String one, String other) throws RejectedException {
        if (one != null && !one.equals(other)) {
            throw new RejectedException(Problem.Type.KEY_INVALID, "The request brings two keys, and they differ.");
        }
        return other;
    }

    private Plan uncovered(Head head) {
        boolean keyed = routes.sources().stream().anyMatch(source -> source.present(head));
        if (keyed && strict && !SAFE.contains(head.method())) {
            Problem problem =
                    Problem.of(Problem.Type.NOT_SUPPORTED, "Requests of this kind are not made safe to repeat here.");
            return new Plan.Answered(contract.answer(problem, head));
        }
        return passed(keyed ? Plan.Reason.KEY_IGNORED : Plan.Reason.NOT_COVERED);
    }

    private Plan observed(Covered covered, Exchange exchange) {
        contract.tell(heard -> heard.passed(Plan.Reason.OBSERVED));
        return new Observation(contract, exchange, covered);
    }

    private Plan passed(Plan.Reason why) {
        contract.tell(heard -> heard.passed(why));
        return new Plan.Pass(why);
    }
}
