package io.onefold.http;

import io.onefold.AsyncWork;
import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.payload.Fingerprint;
import io.onefold.payload.UnreadableResultException;
import io.onefold.store.PossiblyExecutedException;
import io.onefold.store.StoreException;
import io.onefold.store.UnreadableRecordException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that is protected. The adapter reads its body into {@link #spool()}, then calls {@link #run}, and sends the
 * response. It must close the exchange when the response was sent or when no response is to be sent any more.
 */
public final class ProtectedExchange implements RequestPlan, AutoCloseable {
    /** The name of the service behind the adapter, in the keys that are derived for it. */
    static final String UPSTREAM = "upstream";

    private static final Logger LOG = LoggerFactory.getLogger(ProtectedExchange.class);

    private final HttpContract contract;
    private final RequestHead head;
    private final Caller caller;
    private volatile ProtectedOperation covered;
    private final BodySpool spool;
    private @Nullable String key;
    private ResponseBuilder answers;
    private volatile @Nullable HandlerResponse produced;
    private final HandlerCallReport report = new HandlerCallReport();
    private @Nullable HandlerClaim late;
    private @Nullable SpooledBody body;
    private @Nullable Key requestKey;

    /** True if this request has begun, or if an earlier one is known to have begun. */
    private volatile boolean begun;

    /** @param key null if there is none, or if it is in the body */
    ProtectedExchange(
            HttpContract contract,
            ProtectedOperation covered,
            RequestHead head,
            Caller caller,
            @Nullable String key,
            ResponseBuilder answers)
            throws ProblemException {
        this.contract = contract;
        this.covered = covered;
        this.head = head;
        this.caller = caller;
        this.key = key;
        this.answers = answers;
        this.spool = new BodySpool(covered.body(), head, contract.bodyMemory(), contract.spoolDirectory());
    }

    /** Returns the spool that the adapter writes the body to, piece by piece. */
    public BodySpool spool() {
        return spool;
    }

    /**
     * Claims the request on the executor of the Onefold, handles it if it is the first, and records what became of it.
     * Call this after the last byte of the body. The returned future never fails.
     */
    public CompletableFuture<OutgoingResponse> run(RequestHandler handling) {
        return run(handling, false);
    }

    /**
     * Does the same as {@link #run}, but begins on the caller's thread: unless it has to wait, everything is done when
     * this returns.
     */
    public CompletableFuture<OutgoingResponse> runHere(RequestHandler handling) {
        return run(handling, true);
    }

    private CompletableFuture<OutgoingResponse> run(RequestHandler handling, boolean here) {
        try {
            return begin(handling, here);
        } catch (ProblemException e) {
            return CompletableFuture.completedFuture(refused(e));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("a request of {} could not be begun", covered.operation(), e);
            return CompletableFuture.completedFuture(answers.problem(
                    begun
                            ? new Problem(Problem.ProblemType.OUTCOME_UNKNOWN, 500, "The request failed in mid-work.")
                            : Problem.of(
                                    Problem.ProblemType.STORE_UNAVAILABLE,
                                    "It could not be made ready for its record.")));
        }
    }

    private CompletableFuture<OutgoingResponse> begin(RequestHandler handling, boolean here) throws ProblemException {
        SpooledBody body = spool.done();
        if (covered.sources().isEmpty()) {
            return late(handling, body);
        }
        Key request = request(body);
        if (request != null && covered.late()) {
            requestKey = request;
            return late(handling, body);
        }
        if (request == null) {
            contract.tell(listener -> listener.passed(RequestPlan.PassReason.NO_KEY));
            return unprotected(handling, body, true);
        }
        CompletableFuture<Outcome<StoredResponse>> outcome =
                claimed(covered.operation(), request, here, kept -> kept, attempt -> handling.handle(attempt, body));
        return answered(outcome, failure -> failed(failure, handling, body));
    }

    /** Calls the handler first, which makes the claim when it knows its key. */
    private CompletableFuture<OutgoingResponse> late(RequestHandler handling, SpooledBody body) {
        this.body = body;
        HandlerClaim claim = new HandlerClaim(this);
        late = claim;
        CompletionStage<HandlerResponse> response;
        try {
            response = handling.handle(null, body);
        } catch (Exception e) {
            response = CompletableFuture.failedFuture(e);
        }
        return response.whenComplete((answer, failure) -> {
                    if (failure != null) {
                        claim.failed(failure);
                    }
                })
                .thenCompose(claim::ended)
                .exceptionally(e -> {
                    LOG.error("what handles requests of {} has failed", covered.operation(), e);
                    return answers.problem(
                            new Problem(Problem.ProblemType.OUTCOME_UNKNOWN, 500, "The request failed in mid-work."));
                })
                .toCompletableFuture();
    }

    /**
     * The fingerprint of a request whose handler claims: the same as if it were claimed before its handler.
     *
     * @param more further content of the fingerprint, under names of its own
     */
    public Fingerprint fingerprint(Map<String, ? extends @Nullable Object> more) throws ProblemException {
        SpooledBody sent = Objects.requireNonNull(body, "the request is not under way");
        Map<String, @Nullable Object> parts = RequestIdentity.parts(covered.policy(), head, sent);
        parts.putAll(more);
        return RequestIdentity.print(parts, sent);
    }

    /** The key in a request whose handler claims, with its caller and all that it stands for; null if there is none. */
    public @Nullable Key requestKey() {
        return requestKey;
    }

    /**
     * The key of a request whose handler claims, read from the place that the route names; null if there is none. The
     * handler may see another key, or none: see {@link HttpPolicy#forward}.
     *
     * @param operation of the handler; the operation of another handler, which the first one calls, has its
     *     keys elsewhere
     */
    public @Nullable String sentKey(String operation) {
        return late != null && operation.equals(covered.operation().name()) ? key : null;
    }

    /**
     * The key of a request that brings none and counts as the same as equal requests: see
     * {@link HttpPolicy#contentKey}.
     */
    public @Nullable Key contentKey(String operation) {
        return key == null && operation.equals(covered.operation().name()) ? requestKey : null;
    }

    /** The claim that the handler makes; null if the request is claimed without it, or not yet in progress. */
    public @Nullable HandlerClaim lateClaim() {
        return late;
    }

    /** Reports that the handler of this operation has the request: several may share a path. */
    void handles(String operation) {
        if (!covered.operation().name().equals(operation)) {
            covered = contract.covered(operation);
            answers = contract.answers(covered, head, caller, key);
        }
    }

    Operation<StoredResponse> operation() {
        return covered.operation();
    }

    /** The attempt that the handler has claimed; null if it has claimed none. */
    public @Nullable Attempt lateAttempt() {
        return late == null ? null : late.attempt();
    }

    /**
     * Claims the request. If the claim is granted, completes the record with the response.
     *
     * @param stored the response as the operation keeps it
     */
    <T> CompletableFuture<Outcome<T>> claimed(
            Operation<T> operation,
            Key request,
            boolean here,
            Function<StoredResponse, T> stored,
            ClaimedResponse response) {
        AsyncWork<T> work = attempt -> {
            begun = true;
            return response.of(attempt).thenApply(answer -> {
                produced = answer;
                return stored.apply(
                        ResponseClassifier.of(report.of(answer, covered.policy()), covered.policy(), contract.now()));
            });
        };
        try {
            return here
                    ? contract.onefold().attemptHere(operation, request, work)
                    : contract.onefold().attemptAsync(operation, request, work);
        } catch (IllegalStateException e) {
            return CompletableFuture.failedFuture(new ExchangeClosedException(e));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Thrown if no request may begin any more. */
    private static final class ExchangeClosedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ExchangeClosedException(IllegalStateException cause) {
            super(cause);
        }
    }

    /** Produces the response of the attempt that has the claim. */
    interface ClaimedResponse {
        CompletionStage<HandlerResponse> of(Attempt attempt) throws Exception;
    }

    /** Returns the response that the client gets. */
    CompletableFuture<OutgoingResponse> answered(CompletableFuture<? extends Outcome<StoredResponse>> outcome) {
        return answered(outcome, failure -> failed(failure, null, null));
    }

    private CompletableFuture<OutgoingResponse> answered(
            CompletableFuture<? extends Outcome<StoredResponse>> outcome,
            Function<Throwable, CompletableFuture<OutgoingResponse>> failed) {
        return outcome.thenCompose(this::answer).exceptionallyCompose(failed).exceptionally(e -> {
            LOG.error("no answer could be made", e);
            return answers.problem(Problem.of(Problem.ProblemType.OUTCOME_UNKNOWN, "The answer could not be made."));
        });
    }

    /** Returns the report in which the handler says what its response does not. */
    public HandlerCallReport handlerReport() {
        return report;
    }

    boolean keepsBody() {
        return ProtectedOperation.yes(covered.policy().storesBody);
    }

    /**
     * The time in milliseconds for which a transactional handler may go on after its client has left; 0 if the handler
     * is not transactional.
     */
    public long joinedMillis() {
        Duration maxRun = covered.policy().maxRun;
        return late == null || !late.isJoined() ? 0 : (maxRun == null ? Operation.MAX_RUN : maxRun).toMillis();
    }

    /** Returns the stored form of a response whose effect is committed; null if the response is not known. */
    @Nullable
    StoredResponse keptAfterCommit(HandlerResponse response) {
        return ResponseClassifier.committed(response, covered.policy(), contract.now());
    }

    /** Returns the stored form of a response whose effect was undone; null if a retry may run. */
    @Nullable
    StoredResponse keptAfterRollback(HandlerResponse response) {
        return ResponseClassifier.undone(report.of(response, covered.policy()), covered.policy(), contract.now());
    }

    /** Returns true if a request is let through unprotected after this failure of its claim. */
    boolean isOpenTo(Throwable failure) {
        return !begun
                && cause(failure) instanceof StoreException store
                && !(store instanceof PossiblyExecutedException || store instanceof UnreadableRecordException)
                && ProtectedOperation.yes(covered.policy().openOnStoreFailure);
    }

    void tellUnprotected(Throwable because) {
        LOG.warn("the store cannot be reached, and {} is let through unprotected", covered.operation(), because);
        contract.tell(HttpListener::unprotected);
    }

    ResponseBuilder answers() {
        return answers;
    }

    /**
     * The key of a request that is only observed; null if there is none.
     *
     * @param body null if it is not known
     */
    @Nullable
    Key request(byte @Nullable [] body) throws ProblemException {
        if (body == null) {
            return key == null ? null : RequestIdentity.unprinted(covered, caller, key);
        }
        spool.writeInstead(body);
        return request(spool.done());
    }

    /** The key with all that it stands for; null if there is none, and none is needed. */
    private @Nullable Key request(SpooledBody body) throws ProblemException {
        for (KeySource source : covered.sources()) {
            String found = source.inBody() ? source.of(body, covered.syntax()) : null;
            if (found != null) {
                key = RequestPlanner.same(key, found);
                answers = contract.answers(covered, head, caller, key);
            }
        }
        Fingerprint print = RequestIdentity.print(covered, head, body);
        body.forgetPrint();
        Duration window = covered.policy().contentWindow;
        if (key == null && window != null) {
            Key content = Key.ofContent(HexFormat.of().formatHex(print.digest()), window);
            return caller.in(content).matching(print);
        }
        if (key == null && covered.required()) {
            throw covered.keyMissing();
        }
        return key == null ? null : key(key, print);
    }

    private Key key(String sent, Fingerprint print) throws ProblemException {
        try {
            return RequestIdentity.key(covered, caller, sent, print);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(Problem.ProblemType.KEY_INVALID, "No record can have this key");
        }
    }

    /**
     * Sends the response for an outcome. A failure here says nothing about the request: it was decided before, and is
     * not tried again.
     */
    private CompletableFuture<OutgoingResponse> answer(Outcome<StoredResponse> outcome) {
        begun = true;
        CompletableFuture<OutgoingResponse> told;
        try {
            told = told(outcome);
        } catch (RuntimeException e) {
            told = CompletableFuture.failedFuture(e);
        }
        return told.exceptionally(e -> {
            LOG.error("what became of a request of {} could not be told", covered.operation(), e);
            return answers.notReplayable(null);
        });
    }

    private CompletableFuture<OutgoingResponse> told(Outcome<StoredResponse> outcome) {
        if (outcome instanceof Outcome.Executed<StoredResponse> executed) {
            return own(executed.stored(), executed.value());
        }
        if (outcome instanceof Outcome.Overtaken<StoredResponse> overtaken) {
            return own(false, overtaken.value());
        }
        if (outcome instanceof Outcome.Replayed<StoredResponse> replayed) {
            return readable(() -> replay(replayed));
        }
        return CompletableFuture.completedFuture(answers.duplicate(outcome));
    }

    /** Returns an earlier response, if the client is still allowed to read it. */
    CompletableFuture<OutgoingResponse> readable(Supplier<OutgoingResponse> earlier) {
        return contract.mayRead(head).handle((may, failure) -> {
            if (failure != null) {
                LOG.warn("who may have the answer could not be asked", failure);
                return answers.problem(Problem.of(
                        Problem.ProblemType.OVERLOADED, "It could not be asked whether the answer may be given."));
            }
            return may
                    ? earlier.get()
                    : answers.problem(Problem.of(
                            Problem.ProblemType.FORBIDDEN, "The stored response may not be given to this caller."));
        });
    }

    private OutgoingResponse replay(Outcome.Replayed<StoredResponse> replayed) {
        StoredResponse stored = replayed.value();
        if (stored == null || !stored.whole()) {
            return answers.notReplayable(stored);
        }
        contract.tell(HttpListener::replayed);
        return answers.replayed(stored);
    }

    private CompletableFuture<OutgoingResponse> own(boolean stored, @Nullable StoredResponse kept) {
        contract.tell(HttpListener::executed);
        return CompletableFuture.completedFuture(answers.produced(Objects.requireNonNull(produced), stored, kept));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /**
     * @param handling to let the request through unprotected, if the policy says so; null if its handler
     *     was reached already
     */
    private CompletableFuture<OutgoingResponse> failed(
            Throwable failure, @Nullable RequestHandler handling, @Nullable BufferedBody body) {
        Throwable cause = cause(failure);
        if (cause instanceof ResponseClassifier.HandlerHadNoEffectException
                || cause instanceof ResponseClassifier.HandlerNotStartedException
                || cause instanceof ResponseClassifier.ResponseUnknownException) {
            contract.tell(HttpListener::executed);
            // the failure that kept the engine from recording the end is attached to it
            boolean recorded = cause.getSuppressed().length == 0;
            return CompletableFuture.completedFuture(
                    answers.produced(Objects.requireNonNull(produced), recorded, null));
        }
        if (begun) {
            LOG.error("what handles requests of {} has failed", covered.operation(), cause);
            return CompletableFuture.completedFuture(answers.problem(
                    new Problem(Problem.ProblemType.OUTCOME_UNKNOWN, 500, "The request failed in mid-work.")));
        }
        if (cause instanceof ExchangeClosedException) {
            return CompletableFuture.completedFuture(answers.problem(
                    Problem.of(Problem.ProblemType.OVERLOADED, "Nothing is begun any more: this node is going away.")));
        }
        if (cause instanceof PossiblyExecutedException || cause instanceof UnreadableRecordException) {
            LOG.error("what became of a request of {} could not be asked", covered.operation(), cause);
            return CompletableFuture.completedFuture(answers.problem(Problem.of(
                    Problem.ProblemType.OVERLOADED,
                    "There is an earlier request with this key; what became of it cannot be told now.")));
        }
        if (isOpenTo(cause) && handling != null && body != null) {
            tellUnprotected(cause);
            return unprotected(handling, body, false);
        }
        if (cause instanceof UnreadableResultException) {
            LOG.error("a stored answer of {} cannot be read", covered.operation(), cause);
            return CompletableFuture.completedFuture(answers.notReplayable(null));
        }
        LOG.error("a request of {} could not be recorded", covered.operation(), cause);
        boolean full = cause instanceof RejectedExecutionException;
        return CompletableFuture.completedFuture(answers.problem(
                full
                        ? Problem.of(Problem.ProblemType.OVERLOADED, "Too many requests wait for the store.")
                        : Problem.of(Problem.ProblemType.STORE_UNAVAILABLE, "Nothing was done; try again.")));
    }

    /** Handles the request without a record. */
    private CompletableFuture<OutgoingResponse> unprotected(RequestHandler handling, BufferedBody body, boolean known) {
        begun = true;
        CompletionStage<HandlerResponse> handled;
        try {
            handled = handling.handle(null, body);
        } catch (Exception e) {
            handled = CompletableFuture.failedFuture(e);
        }
        return handled.handle((answer, thrown) -> {
                    if (thrown != null) {
                        LOG.error("what handles requests of {} has failed", covered.operation(), thrown);
                        return answers.problem(new Problem(
                                Problem.ProblemType.OUTCOME_UNKNOWN, 500, "The request failed in mid-work."));
                    }
                    return answers.produced(answer, known, null);
                })
                .exceptionally(e -> {
                    LOG.error("what became of a request of {} could not be told", covered.operation(), e);
                    return answers.problem(
                            new Problem(Problem.ProblemType.OUTCOME_UNKNOWN, 500, "The answer could not be made."));
                })
                .toCompletableFuture();
    }

    /** Returns the response to a body that was rejected while it was read. */
    public OutgoingResponse refused(ProblemException rejection) {
        return answers.problem(rejection.problem());
    }

    /**
     * The headers that carry the key. The service is to see {@link #forwarded} in their place, under the first
     * name. Empty if there is no key: then Onefold changes nothing in the request.
     */
    public List<String> keyHeaders() {
        if (key == null && covered.policy().contentWindow == null) {
            return List.of();
        }
        return covered.headers().isEmpty() ? List.of("Idempotency-Key") : covered.headers();
    }

    /**
     * The header that tells the service of the key; null for none. It is the same with a record and without: the
     * service may recognise a repetition where nobody else can.
     */
    public @Nullable HeaderField forwarded() {
        String sent = key;
        if (sent == null) {
            return null;
        }
        String name = keyHeaders().get(0);
        return switch (Objects.requireNonNull(covered.policy().forward)) {
            case ORIGINAL -> new HeaderField(name, KeySyntax.spelled(sent));
            case DERIVED -> new HeaderField(name, derived(sent));
            case STRIP -> null;
        };
    }

    /** Returns the key that the attempt would derive. */
    private String derived(String sent) {
        Key own = RequestIdentity.unprinted(covered, caller, sent);
        return contract.onefold().id(covered.operation(), own).child(UPSTREAM);
    }

    /**
     * Returns the meaning of an exception that the handler has thrown; see {@link HttpPolicy#retryOn} and
     * {@link HttpPolicy#failOn}.
     *
     * @param said the response that was made of it
     */
    public HandlerResponse thrown(Throwable thrown, HandlerResponse said) {
        return ResponseClassifier.thrown(thrown, said, covered.policy());
    }

    /**
     * The number of bytes of a response that are held back and kept. A longer response goes out at once, and is not
     * replayed. A response that is rendered again from an earlier value is held to its end: only then is it known
     * whether it may be sent, and it is marked.
     */
    public int maxHeld() {
        if (late != null && late.rendersAgain()) {
            return Integer.MAX_VALUE;
        }
        return Objects.requireNonNull(covered.policy().maxHeld);
    }

    /** Headers that go out with a response that is too long to be held back: nobody can add them later. */
    public List<HeaderField> marks() {
        return late != null && late.rendersAgain() ? answers.replayMarks() : List.of();
    }

    /** See {@link HttpContract#isOurs}. */
    public boolean isOurs(String header) {
        return contract.isOurs(header);
    }

    @Override
    public void close() {
        spool.close();
    }
}
