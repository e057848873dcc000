package io.onefold.http;

import io.onefold.Verdict;
import io.onefold.http.Policy.Forward;
import io.onefold.upkeep.Reconciler;
import io.onefold.upkeep.UnknownOutcomeRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns what a door finds out about a lost request into what is kept of it. */
final class Probing {
    private static final String DERIVE = "; forward derived keys instead";

    private final HttpContract contract;
    private final Covered covered;
    private final AnswerProbe probe;

    private Probing(HttpContract contract, Covered covered, AnswerProbe probe) {
        this.contract = contract;
        this.covered = covered;
        this.probe = probe;
    }

    static void start(
            HttpContract contract,
            Routes routes,
            Reconciler reconciler,
            Route route,
            boolean scoped,
            AnswerProbe probe) {
        for (Covered covered : routes.of(route)) {
            String name = covered.operation().name();
            String hidden = routes.shared(name, route)
                    ? "other routes have the operation " + name + " as well: give this one a name of its own"
                    : hidden(covered.policy(), scoped);
            if (hidden != null) {
                throw new IllegalArgumentException("a probe could not know which request is meant, since " + hidden);
            }
            reconciler.probe(covered.operation(), new Probing(contract, covered, probe)::verdict);
        }
    }

    /** Why a record does not tell the key that was sent on, or why that key does not tell the record; null if both do. */
    private static @Nullable String hidden(Policy policy, boolean scoped) {
        if (policy.contentWindow != null) {
            return "requests without a key are known by their content, of which nothing is sent on";
        }
        if (policy.forward == Forward.STRIP) {
            return "no key is sent on" + DERIVE;
        }
        if (policy.forward == Forward.DERIVED) {
            return null;
        }
        if (Covered.yes(policy.hashKeys)) {
            return "keys are stored hashed and sent on as they came" + DERIVE;
        }
        if (Covered.yes(policy.tokens)) {
            return "keys are tokens and sent on as they came" + DERIVE;
        }
        return scoped ? "two callers may use the same key, and it is sent on as it came" + DERIVE : null;
    }

    private Verdict<StoredResponse> verdict(UnknownOutcomeRequest stuck) throws Exception {
        boolean derived = covered.policy().forward == Forward.DERIVED;
        String key = derived
                ? stuck.childKey(Exchange.UPSTREAM)
                : KeySyntax.spelled(stuck.id().key());
        Verdict<Produced> found = probe.probe(key);
        if (found instanceof Verdict.WasExecuted<Produced> executed) {
            Produced answer = Objects.requireNonNull(executed.result(), "an answer");
            boolean held = answer.body().length <= Objects.requireNonNull(covered.policy().maxHeld);
            Produced fitting = held ? answer : Produced.sent(answer.status(), answer.headers());
            return Verdict.executed(Ending.kept(fitting, covered.policy(), contract.now()));
        }
        if (found instanceof Verdict.HasFailed<Produced> failed) {
            return new Verdict.HasFailed<>(failed.failure());
        }
        return found instanceof Verdict.CanNoLongerHappen ? Verdict.canNoLongerHappen() : Verdict.unknown();
    }
}
