package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Outcome;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the caller of a method is told: what it returned this time, or what became of it before. */
final class Told {
    private final IdempotentMethod method;
    private final Call call;
    private final Key key;

    /** As the method returned it, with what is not kept of it. */
    private volatile @Nullable Object original;

    private volatile boolean begun;

    Told(IdempotentMethod method, Call call, Key key) {
        this.method = method;
        this.call = call;
        this.key = key;
    }

    /** Runs the method; what is kept of what it returned. */
    @Nullable
    Object ran(Attempt attempt, Callable<@Nullable Object> work) throws Exception {
        begun = true;
        return kept(CurrentAttempt.with(attempt, work));
    }

    CompletionStage<?> started(Attempt attempt, IdempotentInterceptor.Beginning beginning) throws Exception {
        begun = true;
        return CurrentAttempt.with(attempt, beginning::begin);
    }

    boolean hasBegun() {
        return begun;
    }

    @Nullable
    Object original() {
        return original;
    }

    @Nullable
    Object kept(@Nullable Object returned) {
        original = returned;
        return method.returned().stored(returned);
    }

    @Nullable
    Object of(Outcome<Object> outcome) {
        Requests.Request request = method.door() == Door.HTTP ? call.request() : null;
        if (outcome instanceof Outcome.Executed<Object> executed) {
            if (!executed.stored() && request != null) {
                request.answer("Onefold-Stored", "false");
            }
            return original;
        }
        if (outcome instanceof Outcome.Overtaken<Object> && request != null) {
            // it was carried out, and this is its true answer
            request.answer("Onefold-Stored", "false");
            return original;
        }
        if (outcome instanceof Outcome.Replayed<Object> replayed
                && (replayed.kept() || method.door().listens())) {
            if (request != null) {
                request.answer("Idempotent-Replayed", "true");
                request.answer("Cache-Control", "no-store");
            }
            // who rejects duplicates does not answer them either
            boolean mute = method.door().listens() && method.settings().rejects();
            return method.returned().returned(mute ? null : replayed.value());
        }
        if (isDone(outcome)) {
            return null;
        }
        try {
            return Onefold.value(method.operation(), key, outcome);
        } catch (RuntimeException e) {
            throw Listening.refused(method.door(), e);
        }
    }

    /** Whether there is nothing left to do for who has brought it: a message that was handled, or a job that another node does. */
    private boolean isDone(Outcome<Object> outcome) {
        return (method.door() == Door.SCHEDULED && outcome instanceof Outcome.Busy<Object>)
                || (method.door() != Door.CALL
                        && method.door() != Door.HTTP
                        && outcome instanceof Outcome.Refused<Object> refused
                        && refused.reason() == Outcome.Reason.DUPLICATE);
    }
}
