package io.onefold.http;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
 * handler --claim--> granted        its response completes the record
 *            \-----> a value        it was carried out before; the handler renders the value again
 *            \-----> neither        its response is thrown away, and the client hears what is known of the request;
 *                                   if the request gets its turn later, the handler is reached a second time
 * </pre>
 *
 * A handler that joins a transaction does not claim here. It says what its transaction came to: {@link #recorded}, {@link #known} or
 * {@link #rolledBack}.
 */
public final class LateClaim {
    private static final Logger LOG = LoggerFactory.getLogger(LateClaim.class);
    private static final Permission NOT_GRANTED = new Permission(false, null, null);

    private final Exchange exchange;
    private final CompletableFuture<Produced> firstResponse = new CompletableFuture<>();
    private final CompletableFuture<Permission> permission = new CompletableFuture<>();
    private @Nullable Attempt attempt;
    private boolean handlerIsAsking;
    private boolean replaysValue;
    private @Nullable CompletableFuture<? extends Outcome<StoredResponse>> outcome;
    private @Nullable Predicate<StoredAnswer<Object>> amendment;
    private @Nullable Rollback rollback;

    LateClaim(Exchange exchange) {
        this.exchange = exchange;
    }

    /**
     * What a handler may do.
     *
     * @param granted whether it may begin its work
     * @param attempt null if it may, but without a record
     * @param earlier what it is to render again, if it may not; null if whatever it answers is thrown away
     */
    public record Permission(boolean granted, @Nullable Attempt attempt, @Nullable StoredAnswer<Object> earlier) {}

    /** Thrown by a handler that must not begin its work. Whatever is answered to it is thrown away. */
    public static final class NotGrantedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public NotGrantedException() {
            super("an earlier request has the record of this one; the filter answers", null, false, false);
        }
    }

    /** A transaction that left nothing behind. */
    private record Rollback(Operation<StoredAnswer<Object>> operation, Key key) {}

    /**
     * Claims on the thread of the handler. A request that has to wait is not granted yet: the handler gives its thread back, and is called
     * again when the request has its turn.
     *
     * @param operation one that the contract covers
     */
    public Permission claim(Operation<StoredAnswer<Object>> operation, Key key) {
        return begins(operation, key) ? now(ask(operation, key, true)) : now(permission);
    }

    /** As {@link #claim(Operation, Key)}, of the route's own operation: as the filter would have claimed before the handler. */
    public Permission claim(Key key) {
        Operation<StoredResponse> operation = exchange.operation();
        return begins(operation, key)
                ? now(follow(exchange.claimed(operation, key, true, kept -> kept, this::granted), same -> same, no -> null))
                : now(permission);
    }

    /** As {@link #claim}, without a thread: a request that has to wait is granted when it has its turn. */
    public CompletableFuture<Permission> claimAsync(Operation<StoredAnswer<Object>> operation, Key key) {
        return begins(operation, key) ? ask(operation, key, false) : permission;
    }

    /** Whether the handler asks for the first time; not in its second pass, in which it has the claim. */
    private synchronized boolean begins(Operation<?> operation, Key key) {
        if (attempt != null && !attempt.isOf(exchange.id(operation, key))) {
            throw new IllegalStateException("one request has two keys of " + operation.name()
                    + ": its handler has asked again, and has named another key than before");
        }
        handlerIsAsking = outcome == null;
        return outcome == null;
    }

    private synchronized Permission now(CompletableFuture<Permission> asked) {
        handlerIsAsking = false;
        return attempt == null ? asked.getNow(NOT_GRANTED) : new Permission(true, attempt, null);
    }

    private CompletableFuture<Permission> ask(Operation<StoredAnswer<Object>> operation, Key key, boolean here) {
        exchange.handles(operation.name());
        return follow(
                exchange.claimed(operation, key, here, StoredAnswer::rendered, this::granted),
                LateClaim::rendered,
                LateClaim::value);
    }

    private <T> CompletableFuture<Permission> follow(
            CompletableFuture<Outcome<T>> claimed,
            Function<Outcome<T>, Outcome<StoredResponse>> rendered,
            Function<Outcome<T>, @Nullable StoredAnswer<Object>> value) {
        synchronized (this) {
            outcome = claimed.thenApply(rendered);
        }
        claimed.whenComplete((ended, thrown) ->
                permission.complete(decided(ended == null ? null : value.apply(ended), thrown)));
        return permission;
    }

    private synchronized Permission decided(@Nullable StoredAnswer<Object> value, @Nullable Throwable thrown) {
        if (value != null) {
            return replaying(value);
        }
        if (thrown == null || !exchange.isOpenTo(thrown)) {
            return NOT_GRANTED;
        }
        if (handlerIsAsking) {
            exchange.tellUnprotected(thrown);
            outcome = null; // else the handler is called again, and finds this permission
        }
        return new Permission(true, null, null);
    }

    private synchronized Permission replaying(StoredAnswer<Object> value) {
        outcome = null;
        replaysValue = true;
        return new Permission(false, null, value);
    }

    /** The value of a request that was carried out, and whose response is not known; null if it is. */
    private static @Nullable StoredAnswer<Object> value(Outcome<StoredAnswer<Object>> ended) {
        if (!(ended instanceof Outcome.Replayed<StoredAnswer<Object>> replayed) || !replayed.kept()) {
            return null;
        }
        StoredAnswer<Object> answer = replayed.value();
        if (answer == null) {
            return StoredAnswer.of(null);
        }
        return answer.response() == null ? answer : null;
    }

    private CompletionStage<Produced> granted(Attempt won) throws Exception {
        boolean first;
        synchronized (this) {
            attempt = won;
            first = handlerIsAsking;
        }
        if (first) {
            permission.complete(new Permission(true, won, null));
            return firstResponse;
        }
        return exchange.handleAgain(won);
    }

    /**
     * The handler's transaction has recorded the request together with its effect.
     *
     * @param how puts the response into the record; false if the record is another's by now
     */
    public synchronized void recorded(Operation<?> operation, Predicate<StoredAnswer<Object>> how) {
        exchange.handles(operation.name());
        amendment = how;
    }

    /**
     * The handler's transaction has met an earlier request, or could not have the record.
     *
     * @return what the handler is to do: to render a value again, or nothing
     */
    public Permission known(Operation<?> operation, Outcome<StoredAnswer<Object>> earlier) {
        exchange.handles(operation.name());
        StoredAnswer<Object> value = value(earlier);
        if (value != null) {
            return replaying(value);
        }
        synchronized (this) {
            outcome = CompletableFuture.completedFuture(rendered(earlier));
        }
        return NOT_GRANTED;
    }

    /** The handler's transaction was rolled back because of this, and nothing was recorded. */
    public synchronized void rolledBack(Operation<StoredAnswer<Object>> operation, Key key, Throwable thrown) {
        exchange.handles(operation.name());
        exchange.threw(thrown);
        rollback = new Rollback(operation, key);
    }

    /** The same outcome, of the response alone. */
    @SuppressWarnings("unchecked") // all others have no value in them
    private static Outcome<StoredResponse> rendered(Outcome<StoredAnswer<Object>> ended) {
        if (ended instanceof Outcome.Executed<StoredAnswer<Object>> executed) {
            return new Outcome.Executed<>(response(executed.value()), executed.stored());
        }
        if (ended instanceof Outcome.Overtaken<StoredAnswer<Object>> overtaken) {
            return new Outcome.Overtaken<>(response(overtaken.value()));
        }
        if (ended instanceof Outcome.Replayed<StoredAnswer<Object>> replayed) {
            return new Outcome.Replayed<>(response(replayed.value()), replayed.kept());
        }
        return (Outcome<StoredResponse>) (Outcome<?>) ended;
    }

    private static @Nullable StoredResponse response(@Nullable StoredAnswer<Object> answer) {
        return answer == null ? null : answer.response();
    }

    /** What the client hears, once the handler has answered. */
    CompletableFuture<Answer> ended(Produced response) {
        CompletableFuture<? extends Outcome<StoredResponse>> known;
        synchronized (this) {
            known = outcome;
        }
        if (known != null) {
            firstResponse.complete(response);
            return exchange.answered(known);
        }
        if (amendment != null) {
            return CompletableFuture.completedFuture(amended(response, amendment));
        }
        if (rollback != null) {
            return keptAfter(rollback, response);
        }
        return replaysValue
                ? exchange.readable(() -> exchange.answers().replayedValue(response))
                : CompletableFuture.completedFuture(exchange.answers().produced(response, true, null));
    }

    private Answer amended(Produced response, Predicate<StoredAnswer<Object>> how) {
        StoredResponse kept = exchange.keptAnyway(response);
        boolean stored = false;
        try {
            stored = kept != null && how.test(StoredAnswer.rendered(kept));
        } catch (RuntimeException e) {
            LOG.warn("The response of {} is not kept; duplicates get its value, rendered again", exchange, e);
        }
        return exchange.answers().produced(response, true, stored ? kept : null);
    }

    /** The effect is undone, so only a final answer is kept: under an ordinary claim, unless somebody else has one by now. */
    private CompletableFuture<Answer> keptAfter(Rollback undone, Produced response) {
        StoredResponse kept = exchange.keptAfterRollback(response);
        if (kept == null) {
            return CompletableFuture.completedFuture(exchange.answers().produced(response, true, null));
        }
        return exchange.claimed(
                        undone.operation().waitFor(Duration.ZERO),
                        undone.key(),
                        true,
                        StoredAnswer::<Object>rendered,
                        won -> CompletableFuture.completedFuture(response))
                .handle((ended, thrown) -> {
                    if (thrown != null) {
                        LOG.warn("The answer of {} is not kept; a retry runs again", exchange, thrown);
                    }
                    boolean stored = ended instanceof Outcome.Executed<?> own && own.stored();
                    return exchange.answers().produced(response, true, stored ? kept : null);
                });
    }
}
