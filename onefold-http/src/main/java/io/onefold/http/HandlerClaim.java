package io.onefold.http;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.store.RecordId;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The claim of a request whose key only its handler knows. The handler is reached first, and names the key when it is about to begin its
 * work:
 *
 * <pre>
 * handler --claim--> granted    its response completes the record
 *            \-----> a value    it was carried out before; the handler renders the value again
 *            \-----> neither    its response is thrown away, and the client hears what is known of the request
 * </pre>
 *
 * A handler that joins a transaction does not claim here. It says what its transaction came to: {@link #recorded}, {@link #known},
 * {@link #unasked} or {@link #rolledBack}. What the last call of the handler says counts: advice around it may call it again.
 */
public final class HandlerClaim {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerClaim.class);
    private static final ClaimGrant NOT_GRANTED = new ClaimGrant(false, null, null);

    private final ProtectedExchange exchange;
    private final CompletableFuture<ClaimGrant> permission = new CompletableFuture<>();
    private final CompletableFuture<HandlerResponse> handlersResponse = new CompletableFuture<>();
    private @Nullable RecordId claimant;
    private boolean begun;
    private boolean joined;
    private boolean answered;
    private @Nullable CompletableFuture<? extends Outcome<StoredResponse>> outcome;
    private volatile @Nullable Attempt attempt;
    private HandlerEnd end = HandlerEnd.UNPROTECTED;
    private @Nullable Predicate<StoredHandlerResult<Object>> amendment;
    private @Nullable RollbackRecorder rollback;

    HandlerClaim(ProtectedExchange exchange) {
        this.exchange = exchange;
    }

    /** The kind of response that the handler gives. */
    private enum HandlerEnd {
        /** The response of a request that is not protected. */
        UNPROTECTED,
        /** The same, because the store cannot be reached. */
        LET_THROUGH,
        /** Decided by the outcome: the first response, or one that is thrown away. */
        OF_OUTCOME,
        /** Made of the value of an earlier request. */
        OF_VALUE,
        /** A response that is put into the record of the handler's transaction. */
        OF_RECORD,
        /** The response of work that was rolled back. */
        OF_ROLLBACK
    }

    /**
     * The permission that a claim gives to a handler.
     *
     * @param granted true if the handler may begin its work
     * @param attempt null if it may begin, but without a record
     * @param earlier the result that it renders again if it may not begin; null if its response is thrown away
     */
    public record ClaimGrant(
            boolean granted,
            @Nullable Attempt attempt,
            @Nullable StoredHandlerResult<Object> earlier) {}

    /** Thrown by a handler that must not begin its work. Whatever is answered to it is thrown away. */
    public static final class ClaimNotGrantedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public ClaimNotGrantedException() {
            super("another request holds this record; the filter sends the answer", null, false, false);
        }

        /**
         * Returns true if this is such an exception, or one that was wrapped by advice around a handler that returns a
         * future.
         */
        public static boolean is(Throwable thrown) {
            return thrown instanceof ClaimNotGrantedException
                    || (thrown instanceof CompletionException && thrown.getCause() instanceof ClaimNotGrantedException);
        }
    }

    /** Ends the record of work that was undone. */
    public interface RollbackRecorder {
        /**
         * Keeps a final answer, or counts a failure.
         *
         * @param answer null if the request may be tried again
         * @return whether the answer is kept; false if somebody else has the record by now
         */
        boolean end(@Nullable StoredHandlerResult<Object> answer);
    }

    /**
     * Returns true if this is the claim of this record. If one request goes through several handlers, the claim is that
     * of the first.
     */
    public synchronized boolean isOf(RecordId id) {
        if (claimant == null) {
            claimant = id;
        }
        return claimant.equals(id);
    }

    /**
     * The handler begins its work, on what it was granted.
     *
     * @return false if somebody else has answered the request meanwhile: then the handler must not run
     */
    public synchronized boolean begins() {
        begun |= !answered;
        return !answered;
    }

    /** A handler that joins a transaction is called, perhaps once more: what an earlier call of it said is void. */
    public synchronized void calls() {
        exchange.handlerReport().calls();
        joined = true;
        end = HandlerEnd.UNPROTECTED;
        outcome = null;
        amendment = null;
        rollback = null;
    }

    /** Returns true if the handler is transactional. Then its transaction alone decides what becomes of the request. */
    synchronized boolean isJoined() {
        return joined;
    }

    /** Returns true if the record may contain the body of a response, or the value that the body is made of. */
    public boolean keepsBody() {
        return exchange.keepsBody();
    }

    /** Returns the operation as the contract covers it. */
    public Operation<StoredResponse> operation(String name) {
        exchange.handles(name);
        return exchange.operation();
    }

    /** Claims on the thread of the handler, which waits on it where it has to wait. */
    public ClaimGrant claim(Operation<StoredHandlerResult<Object>> operation, Key key) {
        return now(claimed(operation, key, true));
    }

    /**
     * Does the same as {@link #claim(Operation, Key)} for the route's own operation, as the filter would have claimed
     * before the handler.
     */
    public ClaimGrant claim(Key key) {
        return now(claimed(key, true));
    }

    /**
     * Does the same as {@link #claim} without holding a thread. A caller that is granted the claim must call
     * {@link #begins} before it uses it.
     */
    public CompletableFuture<ClaimGrant> claimAsync(Operation<StoredHandlerResult<Object>> operation, Key key) {
        return claimed(operation, key, false);
    }

    /** Does the same as {@link #claim(Key)} without holding a thread; see {@link #claimAsync(Operation, Key)}. */
    public CompletableFuture<ClaimGrant> claimAsync(Key key) {
        return claimed(key, false);
    }

    private CompletableFuture<ClaimGrant> claimed(Key key, boolean here) {
        return asks()
                ? follow(
                        exchange.claimed(exchange.operation(), key, here, kept -> kept, this::granted),
                        same -> same,
                        no -> null)
                : permission;
    }

    private ClaimGrant now(CompletableFuture<ClaimGrant> asked) {
        try {
            ClaimGrant permission = asked.get();
            return permission.granted() && !begins() ? NOT_GRANTED : permission;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClaimNotGrantedException();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a permission has no exception", e);
        }
    }

    private CompletableFuture<ClaimGrant> claimed(
            Operation<StoredHandlerResult<Object>> operation, Key key, boolean here) {
        return asks()
                ? follow(
                        exchange.claimed(operation, key, here, StoredHandlerResult::rendered, this::granted),
                        HandlerClaim::rendered,
                        HandlerClaim::value)
                : permission;
    }

    /**
     * Returns true if the handler asks for the first time. A claim that was granted once is granted to each of its
     * calls.
     */
    private synchronized boolean asks() {
        boolean first = end == HandlerEnd.UNPROTECTED;
        end = first ? HandlerEnd.OF_OUTCOME : end;
        return first;
    }

    private <T> CompletableFuture<ClaimGrant> follow(
            CompletableFuture<Outcome<T>> claimed,
            Function<Outcome<T>, Outcome<StoredResponse>> rendered,
            Function<Outcome<T>, @Nullable StoredHandlerResult<Object>> value) {
        synchronized (this) {
            outcome = claimed.thenApply(rendered);
        }
        var unused = claimed.whenComplete(
                (ended, failure) -> permission.complete(decided(ended == null ? null : value.apply(ended), failure)));
        return permission;
    }

    private synchronized ClaimGrant decided(@Nullable StoredHandlerResult<Object> value, @Nullable Throwable failure) {
        if (value != null) {
            end = HandlerEnd.OF_VALUE;
            return new ClaimGrant(false, null, value);
        }
        if (failure == null || !exchange.isOpenTo(failure)) {
            return NOT_GRANTED;
        }
        exchange.tellUnprotected(failure);
        end = HandlerEnd.LET_THROUGH;
        return new ClaimGrant(true, null, null);
    }

    private CompletionStage<HandlerResponse> granted(Attempt won) {
        attempt = won;
        permission.complete(new ClaimGrant(true, won, null));
        return handlersResponse;
    }

    /** The attempt that was granted; null if none was. */
    @Nullable
    Attempt attempt() {
        return attempt;
    }

    /** The value of a request that was carried out, and whose response is not known; null if it is. */
    private static @Nullable StoredHandlerResult<Object> value(Outcome<StoredHandlerResult<Object>> ended) {
        if (!(ended instanceof Outcome.Replayed<StoredHandlerResult<Object>> replayed) || !replayed.kept()) {
            return null;
        }
        StoredHandlerResult<Object> answer = replayed.value();
        if (answer == null) {
            return StoredHandlerResult.of(null);
        }
        return answer.hasValue() ? answer : null;
    }

    /**
     * The handler's transaction has recorded the request together with its effect.
     *
     * @param how puts the response into the record; false if it does not, or the record is another's by now
     */
    public synchronized void recorded(Predicate<StoredHandlerResult<Object>> how) {
        end = HandlerEnd.OF_RECORD;
        amendment = how;
    }

    /**
     * The handler's transaction has met an earlier request, or could not have the record.
     *
     * @return what the handler is to do: to render a value again, or nothing
     */
    public synchronized ClaimGrant known(Outcome<StoredHandlerResult<Object>> earlier) {
        StoredHandlerResult<Object> value = value(earlier);
        end = value == null ? HandlerEnd.OF_OUTCOME : HandlerEnd.OF_VALUE;
        outcome = CompletableFuture.completedFuture(rendered(earlier));
        return value == null ? NOT_GRANTED : new ClaimGrant(false, null, value);
    }

    /** The handler's transaction could not ask what became of the request, or what is recorded of it cannot be read. */
    public synchronized void unasked(RuntimeException why) {
        end = HandlerEnd.OF_OUTCOME;
        outcome = CompletableFuture.failedFuture(why);
    }

    /** Returns true if the response is made of the value of an earlier request. */
    synchronized boolean rendersAgain() {
        return end == HandlerEnd.OF_VALUE;
    }

    /** The handler's transaction was rolled back because of this, and nothing was recorded. */
    public synchronized void rolledBack(Throwable thrown, RollbackRecorder how) {
        exchange.handlerReport().threw(thrown);
        end = HandlerEnd.OF_ROLLBACK;
        rollback = how;
    }

    /** The handler's transaction has committed all the same, and has recorded the request: see {@link #recorded}. */
    public synchronized void committed(Throwable thrown, Predicate<StoredHandlerResult<Object>> how) {
        exchange.handlerReport().threw(thrown);
        recorded(how);
    }

    /** The same outcome, of the response alone. */
    @SuppressWarnings("unchecked") // all others have no value in them
    private static Outcome<StoredResponse> rendered(Outcome<StoredHandlerResult<Object>> ended) {
        if (ended instanceof Outcome.Executed<StoredHandlerResult<Object>> executed) {
            return new Outcome.Executed<>(response(executed.value()), executed.stored());
        }
        if (ended instanceof Outcome.Overtaken<StoredHandlerResult<Object>> overtaken) {
            return new Outcome.Overtaken<>(response(overtaken.value()));
        }
        if (ended instanceof Outcome.Replayed<StoredHandlerResult<Object>> replayed) {
            StoredHandlerResult<Object> answer = replayed.value();
            return new Outcome.Replayed<>(response(answer), replayed.kept() && (answer == null || !answer.isDone()));
        }
        return (Outcome<StoredResponse>) (Outcome<?>) ended;
    }

    private static @Nullable StoredResponse response(@Nullable StoredHandlerResult<Object> answer) {
        return answer == null ? null : answer.response();
    }

    /** Returns the response for the client, after the handler has responded. */
    synchronized CompletableFuture<OutgoingResponse> ended(HandlerResponse response) {
        answered = true;
        // what was answered in the place of a handler that still waited is not what became of the request
        handlersResponse.complete(
                begun ? response : HandlerResponse.notBegun(response.status(), response.headers(), response.body()));
        ResponseBuilder answers = exchange.answers();
        return switch (end) {
            case UNPROTECTED -> CompletableFuture.completedFuture(answers.produced(response, true, null));
            case LET_THROUGH -> CompletableFuture.completedFuture(answers.produced(response, false, null));
            case OF_OUTCOME -> exchange.answered(Objects.requireNonNull(outcome));
            case OF_VALUE -> exchange.readable(() -> answers.replayedValue(response));
            case OF_RECORD -> CompletableFuture.completedFuture(kept(response, exchange.keptAfterCommit(response)));
            case OF_ROLLBACK -> CompletableFuture.completedFuture(kept(response, exchange.keptAfterRollback(response)));
        };
    }

    /** The handler has not answered, and will not. */
    void failed(Throwable why) {
        handlersResponse.completeExceptionally(why);
    }

    private OutgoingResponse kept(HandlerResponse response, @Nullable StoredResponse kept) {
        boolean stored = false;
        try {
            StoredHandlerResult<Object> answer = kept == null ? null : StoredHandlerResult.rendered(kept);
            if (rollback != null && end == HandlerEnd.OF_ROLLBACK) {
                stored = rollback.end(answer);
            } else if (amendment != null && answer != null) {
                stored = amendment.test(answer);
            }
        } catch (RuntimeException e) {
            LOG.warn("The response of a request of {} is not kept", exchange.operation(), e);
        }
        return exchange.answers().produced(response, true, stored ? kept : null);
    }
}
