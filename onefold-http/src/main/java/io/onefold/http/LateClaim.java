package io.onefold.http;

import io.onefold.Attempt;
import io.onefold.Key;
import io.onefold.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
 *            \-----> not granted    its response is thrown away, and the client hears what became of the request before;
 *                                   if the request gets its turn later, the handler is reached a second time
 * </pre>
 *
 * A handler that joins a transaction does not claim here. It says what its transaction came to: {@link #settled}, {@link #recorded},
 * {@link #replaysValue} or {@link #rolledBack}.
 */
public final class LateClaim {
    private static final Logger LOG = LoggerFactory.getLogger(LateClaim.class);

    /** The store cannot be reached, and the policy lets requests pass then. */
    private static final Permission UNPROTECTED = new Permission(true, null);

    private static final Permission NOT_GRANTED = new Permission(false, null);

    private final Exchange exchange;
    private final CompletableFuture<Produced> firstResponse = new CompletableFuture<>();
    private @Nullable Attempt attempt;
    private boolean handlerIsWaiting;
    private @Nullable CompletableFuture<Outcome<StoredResponse>> outcome;
    private @Nullable Predicate<StoredResponse> amendment;
    private @Nullable Rollback rollback;
    private boolean replaysValue;

    LateClaim(Exchange exchange) {
        this.exchange = exchange;
    }

    /**
     * What a handler may do.
     *
     * @param granted false if it must not begin its work: whatever it answers is thrown away
     * @param attempt null if it may, but without a record
     */
    public record Permission(boolean granted, @Nullable Attempt attempt) {}

    /** Thrown by a handler that must not begin its work. Whatever is answered to it is thrown away. */
    public static final class NotGrantedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        public NotGrantedException() {
            super("an earlier request has the record of this one; the filter answers", null, false, false);
        }
    }

    /** A transaction that left nothing behind, and why. */
    private record Rollback(Key key, Throwable thrown) {}

    /**
     * Claims on the thread of the handler. A request that has to wait is not granted yet: the handler gives its thread back, and is called
     * again when the request has its turn.
     *
     * @param operation one that the contract covers
     */
    public Permission claim(String operation, Key key) {
        Permission again = again(operation, key);
        if (again != null) {
            return again;
        }
        CompletableFuture<Permission> permission = claimAsync(operation, key, true);
        synchronized (this) {
            handlerIsWaiting = false;
            return attempt == null ? permission.getNow(NOT_GRANTED) : new Permission(true, attempt);
        }
    }

    /** As {@link #claim}, without a thread: a request that has to wait is granted when it has its turn. */
    public CompletableFuture<Permission> claimAsync(String operation, Key key) {
        Permission again = again(operation, key);
        return again == null ? claimAsync(operation, key, false) : CompletableFuture.completedFuture(again);
    }

    private CompletableFuture<Permission> claimAsync(String operation, Key key, boolean here) {
        CompletableFuture<Permission> permission = new CompletableFuture<>();
        synchronized (this) {
            handlerIsWaiting = true;
        }
        exchange.handles(operation);
        CompletableFuture<Outcome<StoredResponse>> claimed =
                exchange.claimed(key, here, false, won -> granted(won, permission));
        synchronized (this) {
            outcome = claimed;
        }
        claimed.whenComplete((ended, thrown) -> permission.complete(
                thrown != null && exchange.isOpenTo(thrown) ? UNPROTECTED : NOT_GRANTED));
        return permission;
    }

    /** The claim that this request has already, in its second pass. */
    private synchronized @Nullable Permission again(String operation, Key key) {
        if (outcome == null) {
            return null;
        }
        if (attempt == null || !attempt.isOf(exchange.id(operation, key))) {
            throw new IllegalStateException("one request has two keys of " + operation
                    + ": its handler was called again, and has named another key than before");
        }
        return new Permission(true, attempt);
    }

    private CompletionStage<Produced> granted(Attempt won, CompletableFuture<Permission> permission)
            throws Exception {
        boolean first;
        synchronized (this) {
            attempt = won;
            first = handlerIsWaiting;
        }
        if (first) {
            permission.complete(new Permission(true, won));
            return firstResponse;
        }
        return exchange.handleAgain(won);
    }

    /**
     * An earlier request has the record, or keeps this one from having it.
     *
     * @param known what became of it
     */
    public void settled(String operation, Outcome<StoredResponse> known) {
        exchange.handles(operation);
        synchronized (this) {
            outcome = CompletableFuture.completedFuture(known);
        }
    }

    /**
     * The handler's transaction has recorded the request together with its effect.
     *
     * @param how puts the response into the record; false if the record is another's by now
     */
    public void recorded(String operation, Predicate<StoredResponse> how) {
        exchange.handles(operation);
        synchronized (this) {
            amendment = how;
        }
    }

    /** The handler answers with the value of an earlier request, whose response was not kept. */
    public void replaysValue(String operation) {
        exchange.handles(operation);
        synchronized (this) {
            replaysValue = true;
        }
    }

    /** The handler's transaction was rolled back, and nothing was recorded. */
    public void rolledBack(String operation, Key key, Throwable thrown) {
        exchange.handles(operation);
        exchange.threw(thrown);
        synchronized (this) {
            rollback = new Rollback(key, thrown);
        }
    }

    /** What the client hears, once the handler has answered. */
    CompletableFuture<Answer> ended(Produced response) {
        CompletableFuture<Outcome<StoredResponse>> known;
        boolean first;
        synchronized (this) {
            known = outcome;
            first = attempt != null;
        }
        if (known != null) {
            if (first) {
                firstResponse.complete(response);
            }
            return exchange.answered(known);
        }
        if (amendment != null) {
            return CompletableFuture.completedFuture(amended(response, amendment));
        }
        if (rollback != null) {
            return keptAfter(rollback, response);
        }
        return CompletableFuture.completedFuture(
                replaysValue ? exchange.answers().replayedValue(response) : exchange.answers().produced(response, true, null));
    }

    private Answer amended(Produced response, Predicate<StoredResponse> how) {
        StoredResponse kept = exchange.keptAnyway(response);
        boolean stored = false;
        try {
            stored = kept != null && how.test(kept);
        } catch (RuntimeException e) {
            LOG.warn("The response of {} is not kept; duplicates get its value, rendered again", exchange, e);
        }
        return exchange.answers().produced(response, true, stored ? kept : null);
    }

    /** The effect is undone, so the answer is kept only where it is final: under an ordinary claim, unless somebody else has one by now. */
    private CompletableFuture<Answer> keptAfter(Rollback undone, Produced response) {
        StoredResponse kept = exchange.keptAfterRollback(response);
        if (kept == null) {
            return CompletableFuture.completedFuture(exchange.answers().produced(response, true, null));
        }
        return exchange.claimed(undone.key(), true, true, won -> CompletableFuture.completedFuture(response))
                .handle((ended, thrown) -> {
                    if (thrown != null) {
                        LOG.warn("The answer of {} is not kept; a retry runs again", exchange, thrown);
                    }
                    boolean stored = ended instanceof Outcome.Executed<StoredResponse> own && own.stored();
                    return exchange.answers().produced(response, true, stored ? kept : null);
                });
    }

}
