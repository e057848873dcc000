package io.onefold.http.servlet;

import io.onefold.Attempt;
import io.onefold.NotExecutedException;
import io.onefold.http.BufferedBody;
import io.onefold.http.HandlerClaim;
import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
import io.onefold.http.OuterExceptions;
import io.onefold.http.ProtectedExchange;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application at work on a request that is held. It may return, throw, complete on another thread, let its time run out or never be
 * heard of again: what becomes of the request is said once, by {@link #produced}, and the first who says it is believed.
 */
final class ServletInvocation implements ProtectedServletResponse.ProtectedResponseReader {
    private static final Logger LOG = LoggerFactory.getLogger(ServletInvocation.class);
    private static final HandlerResponse UNKNOWN = HandlerResponse.unknown(500, List.of(), new byte[0]);

    private final ProtectedExchange exchange;
    private final @Nullable Attempt attempt;
    private final @Nullable String errorPage;
    private final OuterExceptions outer;
    private final ProtectedServletRequest request;
    private final ProtectedServletResponse response;
    private final CompletableFuture<HandlerResponse> produced = new CompletableFuture<>();
    private volatile boolean detached;
    private volatile @Nullable Throwable outward;

    /**
     * @param attempt null if the request is not protected after all
     * @param request with what the application is to see of the key
     */
    ServletInvocation(
            ServletExchange held,
            ProtectedExchange exchange,
            @Nullable Attempt attempt,
            HttpServletRequest request,
            HttpServletResponse response,
            BufferedBody body,
            @Nullable String errorPage,
            OuterExceptions outer) {
        this.exchange = exchange;
        this.attempt = attempt;
        this.errorPage = errorPage;
        this.outer = outer;
        boolean chunks = "HTTP/1.1".equals(request.getProtocol());
        this.response = new ProtectedServletResponse(response, exchange::maxHeld, chunks, exchange::isOurs, this);
        this.request = new ProtectedServletRequest(held, this, request, this.response, body);
    }

    /** Returns the request that the application sees. */
    ProtectedServletRequest request() {
        return request;
    }

    /** Returns the response that the application writes to. */
    ProtectedServletResponse response() {
        return response;
    }

    CompletionStage<HandlerResponse> produced() {
        return produced;
    }

    @Override
    public boolean isOver() {
        return produced.isDone();
    }

    @Override
    public List<HeaderField> marks() {
        return exchange.marks();
    }

    /**
     * Returns the exception that is thrown to the container, or to a filter before this one, in place of a response;
     * null if there is a response. The application has thrown it for a filter to translate, or it says that the part of
     * the response which was sent must not be taken for the whole.
     */
    @Nullable
    Throwable outward() {
        return outward;
    }

    /** Nothing was begun, and nothing will be. */
    void neverBegan() {
        produced.complete(HandlerResponse.notBegun(503, List.of(), new byte[0]));
    }

    /** It has said all it will say. */
    void ended() {
        say(() -> {
            ProtectedServletResponse.ApplicationError error = response.error();
            if (error != null) {
                render(error, response);
            }
            HandlerResponse said = response.produced();
            return isUnfinished() ? unfinished(said) : begun(said);
        });
    }

    /** Returns true if the application says that its handler may still be running. */
    private boolean isUnfinished() {
        return Boolean.TRUE.equals(request.getAttribute(IdempotencyFilter.UNFINISHED));
    }

    /**
     * Returns the response for a handler that has not finished. The response is not the handler's, and its end is
     * unknown. A part that was sent already is not the whole response.
     */
    private HandlerResponse unfinished(HandlerResponse said) {
        if (said.certainty() == HandlerResponse.ExecutionCertainty.SENT) {
            outward = brokenOff();
            return UNKNOWN;
        }
        return HandlerResponse.unknown(said.status(), said.headers(), said.body());
    }

    private static IllegalStateException brokenOff() {
        return new IllegalStateException("the response was cut after a part of it was sent");
    }

    /** Unless the application says that its handler was never reached. */
    private HandlerResponse begun(HandlerResponse said) {
        return neverBegun() && said.certainty() == HandlerResponse.ExecutionCertainty.ANSWERED
                ? HandlerResponse.notBegun(said.status(), said.headers(), said.body())
                : said;
    }

    private boolean neverBegun() {
        return Boolean.FALSE.equals(request.getAttribute(IdempotencyFilter.BEGUN));
    }

    /**
     * It has thrown, or has not ended in time.
     *
     * @param stillAtWork whether it may be: then nobody knows what becomes of the request, whatever an error means otherwise
     */
    void failed(Throwable thrown, boolean stillAtWork) {
        Throwable cause = thrown instanceof ServletException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (HandlerClaim.ClaimNotGrantedException.is(cause) && claimed() == null) {
            neverBegan(); // nobody will see what is answered to it
            return;
        }
        boolean nothing = cause instanceof NotExecutedException;
        HandlerResponse outside = stillAtWork ? null : answeredOutside(thrown, cause);
        if (!nothing && outside == null) {
            LOG.error("{} {} has failed", request.getMethod(), request.getServletPath(), cause);
        }
        say(() -> {
            ProtectedServletResponse page = response.instead();
            if (page == null) {
                // what went out is not the whole of it, and neither the client nor a duplicate is to take it for that
                outward = brokenOff();
                return UNKNOWN.because(cause);
            }
            if (outside != null) {
                outward = thrown;
                return outside;
            }
            render(new ProtectedServletResponse.ApplicationError(500, null, cause), page);
            HandlerResponse said = page.produced();
            return begun(
                    (stillAtWork || isUnfinished()) && !nothing
                            ? HandlerResponse.unknown(said.status(), said.headers(), said.body())
                                    .because(cause)
                            : exchange.thrown(cause, said));
        });
    }

    /**
     * Returns the knowledge about the request if a filter before this one responds to the exception; null if none does.
     */
    private @Nullable HandlerResponse answeredOutside(Throwable thrown, Throwable cause) {
        if (outer.find(thrown) == null) {
            return null;
        }
        HandlerResponse known = exchange.thrown(cause, UNKNOWN);
        if (known.certainty() == HandlerResponse.ExecutionCertainty.LAST) {
            return null; // the application says that it is its answer
        }
        return neverBegun() ? HandlerResponse.notBegun(known.status(), known.headers(), known.body()) : known;
    }

    private void say(Supplier<HandlerResponse> last) {
        try {
            produced.complete(last.get());
        } catch (RuntimeException e) {
            LOG.error("what the application has said cannot be read", e);
            lost();
        }
    }

    private void render(ProtectedServletResponse.ApplicationError failure, ProtectedServletResponse page) {
        page.begin(failure.status());
        if (errorPage == null || detached) {
            page.plainError(failure);
            return;
        }
        try {
            ErrorPageRenderer.render(errorPage, failure, request, page);
        } catch (ServletException | IOException | RuntimeException e) {
            LOG.error("the error page {} has failed", errorPage, e);
            page.resetBuffer();
            page.plainError(failure);
        }
    }

    /** The container lets go of the request: nothing may be written to it any more, nor asked. */
    void detach() {
        if (!detached && !isOver()) {
            detached = true;
            response.detach();
        }
    }

    /** The answer goes on, to nobody. It may have no end: it is waited for as long as its claim lasts. */
    @Override
    public void left() {
        Attempt claimed = claimed();
        long joined = exchange.joinedMillis();
        if (claimed == null && joined == 0) {
            lost();
        } else {
            expectEnd(joined);
        }
    }

    /**
     * Nobody waits for it any more, but it may still be at work. If it says nothing in the time that it would have had, or until its
     * claim is lost, nobody knows how it ended.
     *
     * @param millis 0 for no end
     */
    void expectEnd(long millis) {
        if (millis > 0) {
            produced.completeOnTimeout(UNKNOWN, millis, TimeUnit.MILLISECONDS);
        }
        Attempt claimed = claimed();
        if (claimed != null) {
            claimed.onLeaseLost(this::lost);
        }
    }

    /** The attempt that has the request, whoever has claimed it; null if nobody has. */
    private @Nullable Attempt claimed() {
        return attempt == null ? exchange.lateAttempt() : attempt;
    }

    /** It wants to go on where it cannot. */
    void stranded() {
        if (detached) {
            lost();
        }
    }

    /** From here on nobody will know how it ended, unless that is known already. */
    void lost() {
        produced.complete(UNKNOWN);
    }
}
