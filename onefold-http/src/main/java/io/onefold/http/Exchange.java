package io.onefold.http;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Outcome;
import io.onefold.payload.Fingerprint;
import io.onefold.payload.UnreadableResultException;
import io.onefold.store.StandingRecordException;
import io.onefold.store.StoreException;
import io.onefold.store.UnreadableRecordException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request that is protected. The door reads its body into {@link #spool()}, then lets it {@link #run}, and sends the answer. It must
 * be closed when the answer was sent or nothing is to be answered any more.
 */
public final class Exchange implements Plan, AutoCloseable {
    /** The name of whoever is behind the door, in the keys that are derived for them. */
    static final String UPSTREAM = "upstream";

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private final HttpContract contract;
    private final Covered covered;
    private final Head head;
    private final Caller caller;
    private final Spool spool;
    private @Nullable String key;
    private Answers answers;
    private volatile @Nullable Produced produced;

    /** By this request or, as is known by now, by an earlier one. */
    private volatile boolean begun;

    /**
     * @param key null if it stands in the body, if anywhere
     */
    Exchange(HttpContract contract, Covered covered, Head head, Caller caller, @Nullable String key, Answers answers)
            throws RejectedException {
        this.contract = contract;
        this.covered = covered;
        this.head = head;
        this.caller = caller;
        this.key = key;
        this.answers = answers;
        this.spool = new Spool(covered.body(), head, contract.bodyMemory(), contract.spoolDirectory());
    }

    /** Where the door writes the body to, as it comes. */
    public Spool spool() {
        return spool;
    }

    /**
     * To be called after the last byte of the body. On the executor of the Onefold, claims; then handles the request if it is the
     * first, and records what became of it. The answer is never exceptional.
     */
    public CompletableFuture<Answer> run(Handling handling) {
        return run(handling, false);
    }

    /** As {@link #run}, beginning on the caller's thread: unless there is something to wait for, all is done when this returns. */
    public CompletableFuture<Answer> runHere(Handling handling) {
        return run(handling, true);
    }

    private CompletableFuture<Answer> run(Handling handling, boolean here) {
        try {
            return begin(handling, here);
        } catch (RejectedException e) {
            return CompletableFuture.completedFuture(refused(e));
        } catch (RuntimeException | StackOverflowError e) {
            LOG.error("a request of {} could not be begun", covered.operation(), e);
            return CompletableFuture.completedFuture(answers.problem(
                    begun
                            ? new Problem(Problem.Type.OUTCOME_UNKNOWN, 500, "The request failed in mid-work.")
                            : Problem.of(
                                    Problem.Type.STORE_UNAVAILABLE, "It could not be made ready for its record.")));
        }
    }

    private CompletableFuture<Answer> begin(Handling handling, boolean here) throws RejectedException {
        SpooledBody body = spool.done();
        Key request = request(body);
        if (request == null) {
            contract.tell(listener -> listener.passed(Plan.Reason.NO_KEY));
            return unprotected(handling, body, true);
        }
        CompletableFuture<Outcome<StoredResponse>> outcome;
        try {
            Onefold onefold = contract.onefold();
            outcome = here
                    ? onefold.attemptHere(covered.operation(), request, attempt -> kept(handling, attempt, body))
                    : onefold.attemptAsync(covered.operation(), request, attempt -> kept(handling, attempt, body));
        } catch (IllegalStateException e) {
            return CompletableFuture.completedFuture(answers.problem(
                    Problem.of(Problem.Type.OVERLOADED, "Nothing is begun any more: this node is going away.")));
        }
        return outcome.thenCompose(this::answer)
                .exceptionallyCompose(thrown -> failed(thrown, handling, body))
                .exceptionally(e -> {
                    LOG.error("no answer could be made", e);
                    return answers.problem(Problem.of(Problem.Type.OUTCOME_UNKNOWN, "The answer could not be made."));
                });
    }

    /**
     * The key of a request that is only observed; null if there is none.
     *
     * @param body null if it is not known
     */
    @Nullable
    Key request(byte @Nullable [] body) throws RejectedException {
        if (body == null) {
            return key == null ? null : Identity.unprinted(covered, caller, key);
        }
        spool.writeInstead(body);
        return request(spool.done());
    }

    /** The key with all that it stands for; null if there is none, and none is needed. */
    private @Nullable Key request(SpooledBody body) throws RejectedException {
        for (KeySource source : covered.sources()) {
            String found = source.inBody() ? source.of(body, covered.syntax()) : null;
            if (found != null) {
                key = Planning.same(key, found);
                answers = contract.answers(covered, head, caller, key);
            }
        }
        Fingerprint print = Identity.print(covered, head, body);
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

    private Key key(String sent, Fingerprint print) throws RejectedException {
        try {
            return Identity.key(covered, caller, sent, print);
        } catch (IllegalArgumentException e) {
            throw new RejectedException(Problem.Type.KEY_INVALID, "No record can have this key");
        }
    }

    private CompletionStage<StoredResponse> kept(Handling handling, Attempt attempt, Body body) throws Exception {
        begun = true;
        return handling.handle(attempt, body).thenApply(answer -> {
            produced = answer;
            return Ending.of(answer, covered.policy(), contract.now());
        });
    }

    /** What fails here says nothing about the request: it was decided before, and is not tried again. */
    private CompletableFuture<Answer> answer(Outcome<StoredResponse> outcome) {
        begun = true;
        CompletableFuture<Answer> told;
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

    private CompletableFuture<Answer> told(Outcome<StoredResponse> outcome) {
        if (outcome instanceof Outcome.Executed<StoredResponse> executed) {
            return own(executed.stored(), executed.value());
        }
        if (outcome instanceof Outcome.Overtaken<StoredResponse> overtaken) {
            return own(false, overtaken.value());
        }
        if (outcome instanceof Outcome.Replayed<StoredResponse> replayed) {
            return contract.mayRead(head).handle((may, thrown) -> {
                if (thrown != null) {
                    LOG.warn("who may have the answer could not be asked", thrown);
                    return answers.problem(Problem.of(
                            Problem.Type.OVERLOADED, "It could not be asked whether the answer may be given."));
                }
                return may
                        ? replay(replayed)
                        : answers.problem(Problem.of(
                                Problem.Type.FORBIDDEN, "The answer exists, but may not be given to who asks now."));
            });
        }
        return CompletableFuture.completedFuture(answers.duplicate(outcome));
    }

    private Answer replay(Outcome.Replayed<StoredResponse> replayed) {
        StoredResponse stored = replayed.value();
        if (stored == null || !stored.whole()) {
            return answers.notReplayable(stored);
        }
        contract.tell(HttpListener::replayed);
        return answers.replayed(stored);
    }

    private CompletableFuture<Answer> own(boolean stored, @Nullable StoredResponse kept) {
        contract.tell(HttpListener::executed);
        return CompletableFuture.completedFuture(answers.produced(Objects.requireNonNull(produced), stored, kept));
    }

    private CompletableFuture<Answer> failed(Throwable thrown, Handling handling, Body body) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof Ending.NothingHappened
                || cause instanceof Ending.NothingBegun
                || cause instanceof Ending.NobodyKnows) {
            contract.tell(HttpListener::executed);
            // what kept the engine from recording the end is with it
            boolean recorded = cause.getSuppressed().length == 0;
            return CompletableFuture.completedFuture(
                    answers.produced(Objects.requireNonNull(produced), recorded, null));
        }
        if (begun) {
            LOG.error("what handles requests of {} has failed", covered.operation(), cause);
            return CompletableFuture.completedFuture(
                    answers.problem(new Problem(Problem.Type.OUTCOME_UNKNOWN, 500, "The request failed in mid-work.")));
        }
        if (cause instanceof StandingRecordException || cause instanceof UnreadableRecordException) {
            LOG.error("what became of a request of {} could not be asked", covered.operation(), cause);
            return CompletableFuture.completedFuture(answers.problem(Problem.of(
                    Problem.Type.OVERLOADED,
                    "There is an earlier request with this key; what became of it cannot be told now.")));
        }
        if (cause instanceof StoreException && Covered.yes(covered.policy().openOnStoreFailure)) {
            LOG.warn("the store cannot be reached, and {} is let through unprotected", covered.operation(), cause);
            contract.tell(HttpListener::unprotected);
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
                        ? Problem.of(Problem.Type.OVERLOADED, "Too many requests wait for the store.")
                        : Problem.of(Problem.Type.STORE_UNAVAILABLE, "Nothing was done; try again.")));
    }

    /** Without a record. */
    private CompletableFuture<Answer> unprotected(Handling handling, Body body, boolean known) {
        begun = true;
        CompletionStage<Produced> handled;
        try {
            handled = handling.handle(null, body);
        } catch (Exception e) {
            handled = CompletableFuture.failedFuture(e);
        }
        return handled.handle((answer, thrown) -> {
                    if (thrown != null) {
                        LOG.error("what handles requests of {} has failed", covered.operation(), thrown);
                        return answers.problem(
                                new Problem(Problem.Type.OUTCOME_UNKNOWN, 500, "The request failed in mid-work."));
                    }
                    return answers.produced(answer, known, null);
                })
                .exceptionally(e -> {
                    LOG.error("what became of a request of {} could not be told", covered.operation(), e);
                    return answers.problem(
                            new Problem(Problem.Type.OUTCOME_UNKNOWN, 500, "The answer could not be made."));
                })
                .toCompletableFuture();
    }

    /** What to answer to a body that was refused while it was read. */
    public Answer refused(RejectedException rejection) {
        return answers.problem(rejection.problem());
    }

    /**
     * Headers that carry the key. Whoever is behind the door is to see {@link #forwarded} in their place, the first name standing for
     * all. None if there is no key: then nothing of the request is ours.
     */
    public List<String> keyHeaders() {
        if (key == null && covered.policy().contentWindow == null) {
            return List.of();
        }
        return covered.headers().isEmpty() ? List.of("Idempotency-Key") : covered.headers();
    }

    /**
     * What whoever is behind the door is to be told of the key; null for nothing. It is the same whether there is a record or not: they
     * may recognise a repetition where nobody else can.
     */
    public @Nullable Field forwarded() {
        String sent = key;
        if (sent == null) {
            return null;
        }
        String name = keyHeaders().get(0);
        return switch (Objects.requireNonNull(covered.policy().forward)) {
            case ORIGINAL -> new Field(name, KeySyntax.spelled(sent));
            case DERIVED -> new Field(name, derived(sent));
            case STRIP -> null;
        };
    }

    /** As the attempt would derive it. */
    private String derived(String sent) {
        Key own = Identity.unprinted(covered, caller, sent);
        return contract.onefold().id(covered.operation(), own).child(UPSTREAM);
    }

    /**
     * What is known of the request if the application has thrown this; see {@link Policy#retryOn} and {@link Policy#failOn}.
     *
     * @param said the answer that was made of it
     */
    public Produced thrown(Throwable thrown, Produced said) {
        return Ending.thrown(thrown, said, covered.policy());
    }

    /** How many bytes of an answer are held back and kept; a longer one goes out at once, and is not replayed. */
    public int maxHeld() {
        return Objects.requireNonNull(covered.policy().maxHeld);
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
