package io.onefold.http;

import io.onefold.Verdict;
import io.onefold.http.HttpPolicy.KeyForwarding;
import io.onefold.upkeep.Reconciler;
import io.onefold.upkeep.UnknownOutcomeRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns what a door finds out about a lost request into what is kept of it. */
final class ProbeVerdicts {
    private static final String DERIVE = "; forward derived keys instead";

    private final HttpContract contract;
    private final ProtectedOperation covered;
    private final HttpOutcomeProbe probe;

    private ProbeVerdicts(HttpContract contract, ProtectedOperation covered, HttpOutcomeProbe probe) {
        this.contract = contract;
        this.covered = covered;
        this.probe = probe;
    }

    static void start(
            HttpContract contract,
            RouteTable routes,
            Reconciler reconciler,
            Route route,
            boolean scoped,
            HttpOutcomeProbe probe) {
        for (ProtectedOperation covered : routes.of(route)) {
            String name = covered.operation().name();
            String hidden = routes.shared(name, route)
                    ? "other routes have the operation " + name + " as well: give this one a name of its own"
                    : hidden(covered.policy(), scoped);
            if (hidden != null) {
                throw new IllegalArgumentException("a probe could not know which request is meant, since " + hidden);
            }
            reconciler.probe(covered.operation(), new ProbeVerdicts(contract, covered, probe)::verdict);
        }
    }

    /** Why a record does not tell the key that was sent on, or why that key does not tell the record; null if both do. */
    private static @Nullable String hidden(HttpPolicy policy, boolean scoped) {
        if (policy.contentWindow != null) {
            return "requests without a key are known by their content, of which nothing is sent on";
        }
        if (policy.forward == KeyForwarding.STRIP) {
            return "no key is sent on" + DERIVE;
        }
        if (policy.forward == KeyForwarding.DERIVED) {
            return null;
        }
        if (ProtectedOperation.yes(policy.hashKeys)) {
            return "keys are stored hashed and sent on as they came" + DERIVE;
        }
        if (ProtectedOperation.yes(policy.tokens)) {
            return "keys are tokens and sent on as they came" + DERIVE;
        }
        return scoped ? "two callers may use the same key, and it is sent on as it came" + DERIVE : null;
    }

    private Verdict<StoredResponse> verdict(UnknownOutcomeRequest stuck) throws Exception {
        boolean derived = covered.policy().forward == KeyForwarding.DERIVED;
        String key = derived
                ? stuck.childKey(ProtectedExchange.UPSTREAM)
                : KeySyntax.spelled(stuck.id().key());
        Verdict<HandlerResponse> found = probe.probe(key);
        if (found instanceof Verdict.WasExecuted<HandlerResponse> executed) {
            HandlerResponse answer = Objects.requireNonNull(executed.result(), "an answer");
            boolean held = answer.body().length <= Objects.requireNonNull(covered.policy().maxHeld);
            HandlerResponse fitting = held ? answer : HandlerResponse.sent(answer.status(), answer.headers());
            return Verdict.executed(ResponseClassifier.kept(fitting, covered.policy(), contract.now()));
        }
        if (found instanceof Verdict.HasFailed<HandlerResponse> failed) {
            return new Verdict.HasFailed<>(failed.failure());
        }
        return found instanceof Verdict.CanNoLongerHappen ? Verdict.canNoLongerHappen() : Verdict.unknown();
    }
}
