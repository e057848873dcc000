package io.onefold.spring;

import io.onefold.Attempt;
import io.onefold.AttemptFailedException;
import io.onefold.InProgressException;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Outcome;
import io.onefold.http.StoredHandlerResult;
import java.lang.reflect.Array;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The result for the caller of a method: the result of this call, or of an earlier one. */
final class InvocationResult {
    private final IdempotentMethod method;
    private final MethodCall call;
    private final Key key;

    /** The method's original result, including parts that are not kept. */
    private volatile @Nullable Object original;

    private volatile boolean begun;
    private volatile @Nullable Attempt ran;
    private volatile @Nullable Throwable committed;

    InvocationResult(IdempotentMethod method, MethodCall call, Key key) {
        this.method = method;
        this.call = call;
        this.key = key;
    }

    /** Runs the method, and returns the part of its result that is kept. */
    @Nullable
    Object ran(Attempt attempt, Callable<@Nullable Object> work) throws Exception {
        begun = true;
        committed = null;
        ran = attempt;
        return kept(CurrentAttempt.with(attempt, work));
    }

    /**
     * Notes that a handler has thrown this and that its transaction commits. Returns the value that is kept until the response is known.
     */
    Object committed(Throwable thrown) {
        committed = thrown;
        return StoredHandlerResult.done();
    }

    /** The exception of a handler whose transaction has committed; null if it has thrown nothing. */
    @Nullable
    Throwable committed() {
        return committed;
    }

    /** The attempt that ran the method; null if none did. */
    @Nullable
    Attempt attempt() {
        return ran;
    }

    static Throwable unwrapped(Throwable why) {
        return why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
    }

    CompletionStage<?> started(Attempt attempt, IdempotentInterceptor.AsyncStart beginning) throws Exception {
        begun = true;
        return CurrentAttempt.with(attempt, beginning::begin);
    }

    boolean hasBegun() {
        return begun;
    }

    /** The kept part of the result of a handler that has returned. */
    StoredHandlerResult<Object> answer() {
        return method.answer(original);
    }

    @Nullable
    Object original() {
        return original;
    }

    @Nullable
    Object kept(@Nullable Object returned) {
        String early = method.returned().early(returned);
        if (early != null) {
            throw new IllegalStateException(method + " " + early);
        }
        original = returned;
        return method.stored(returned);
    }

    @Nullable
    Object of(Outcome<Object> outcome) {
        RequestResolver.HandlerRequest request = method.door() == InvocationSource.HTTP ? call.request() : null;
        if (outcome instanceof Outcome.Executed<Object> executed) {
            if (!executed.stored() && request != null) {
                request.answer("Onefold-Stored", "false");
            }
            return original;
        }
        if (outcome instanceof Outcome.Overtaken<Object> && request != null) {
            // the method has run, and this is its true result
            request.answer("Onefold-Stored", "false");
            return original;
        }
        if (outcome instanceof Outcome.Replayed<Object> replayed
                && (replayed.kept() || method.door().listens())) {
            replays(request);
            // if duplicates are rejected, they get no result either
            boolean mute = method.door().listens() && method.settings().rejects();
            return result(mute ? null : replayed.value());
        }
        if (isDone(outcome)) {
            return nothing();
        }
        try {
            return Onefold.value(method.operation(), key, outcome);
        } catch (InProgressException e) {
            String words = method.settings().message();
            throw ListenerExceptions.told(method.door(), words == null ? e : e.saying(words));
        } catch (AttemptFailedException e) {
            throw InvocationResult.<RuntimeException>thrown(failure(e));
        } catch (RuntimeException e) {
            throw ListenerExceptions.told(method.door(), e);
        }
    }

    /**
     * Returns the exception for a caller if the attempt that it waited for has failed. It is the exception of the first caller, if that was
     * in this process. For a listener, the message has to come again. An interrupt or an error concerns only the thread that it was thrown
     * on.
     */
    private Throwable failure(AttemptFailedException why) {
        boolean same = why.getCause() instanceof Exception
                && !(why.getCause() instanceof InterruptedException)
                && !method.door().listens();
        return same ? Objects.requireNonNull(why.getCause()) : ListenerExceptions.told(method.door(), why);
    }

    /** Throws any exception, including a checked one: callers expect the exceptions that the method declares. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the type is erased at run time
    private static <X extends Throwable> X thrown(Throwable why) throws X {
        throw (X) why;
    }

    /** Returns the method's result for the kept value of an earlier call. */
    @Nullable
    Object result(@Nullable Object stored) {
        Object result = method.result(stored);
        return result == null ? nothing() : result;
    }

    /** Returns an empty result, as far as the method's type allows: a primitive cannot be absent. */
    @Nullable
    Object nothing() {
        Class<?> type = method.method().getReturnType();
        return type.isPrimitive() && type != void.class ? Array.get(Array.newInstance(type, 1), 0) : null;
    }

    private static void replays(RequestResolver.@Nullable HandlerRequest request) {
        if (request != null) {
            request.answer(request.replayMarker(), "true");
            request.answer("Cache-Control", "no-store");
        }
    }

    /** Returns true if the caller has nothing left to do: a message that was handled, or a job that another node runs. */
    private boolean isDone(Outcome<Object> outcome) {
        return (method.door() == InvocationSource.SCHEDULED && outcome instanceof Outcome.InProgress<Object>)
                || (method.door() != InvocationSource.CALL
                        && method.door() != InvocationSource.HTTP
                        && outcome instanceof Outcome.Rejected<Object> refused
                        && refused.reason() == Outcome.RejectionReason.DUPLICATE);
    }
}
