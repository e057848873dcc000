package io.onefold.http.servlet;

import io.onefold.Attempt;
import io.onefold.NotExecutedException;
import io.onefold.http.Answer;
import io.onefold.http.Body;
import io.onefold.http.Exchange;
import io.onefold.http.Produced;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A protected request on its way through a container.
 *
 * <p>The container's threads come and go: the one that brings the request, later one for each asynchronous dispatch. While one is
 * {@link #inside}, it delivers the answer itself when it leaves. If there is no answer then, the request goes on asynchronously, and
 * whoever has the answer delivers it. A duplicate that waited and gets its turn is dispatched, so that the application runs on a thread
 * of the container's.
 */
final class Held {
    static final String ATTRIBUTE = Held.class.getName();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Logger LOG = LoggerFactory.getLogger(Held.class);

    private final Exchange exchange;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final FilterChain chain;
    private final @Nullable String errorPage;
    private final Thread first = Thread.currentThread();
    private final CompletableFuture<Produced> produced = new CompletableFuture<>();

    private @Nullable HeldRequest heldRequest;
    private @Nullable HeldResponse heldResponse;
    private final CountDownLatch delivered = new CountDownLatch(1);
    private boolean inside = true;
    private boolean closed;
    private boolean turn;
    private @Nullable AsyncContext open;
    private @Nullable Answer answer;

    Held(
            Exchange exchange,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            @Nullable String errorPage) {
        this.exchange = exchange;
        this.request = request;
        this.response = response;
        this.chain = chain;
        this.errorPage = errorPage;
    }

    /** On the thread that brought the request, after its body was read. */
    void begin() {
        request.setAttribute(ATTRIBUTE, this);
        var unused = exchange.runHere(this::handle).thenAccept(this::answered);
        leave();
    }

    private CompletionStage<Produced> handle(@Nullable Attempt attempt, Body body) {
        request.setAttribute(Attempt.class.getName(), attempt);
        heldRequest = new HeldRequest(this, request, body);
        heldResponse = new HeldResponse(response, exchange.maxHeld());
        heldRequest.with(heldResponse);
        if (Thread.currentThread() == first && !left()) {
            run(chain, heldRequest, heldResponse);
        } else {
            takeTurn();
        }
        return produced;
    }

    private synchronized boolean left() {
        return !inside;
    }

    /** The application is to run, but this thread is not the container's. */
    private synchronized void takeTurn() {
        turn = true;
        if (open == null) {
            return; // who leaves will see to it
        }
        try {
            open.dispatch();
        } catch (IllegalStateException e) {
            // the client went while its request waited, and the container with it
            produced.complete(Produced.notExecuted(503, List.of(), new byte[0]));
        }
    }

    /** A dispatch of a request that is held already. */
    void again(HttpServletRequest dispatched, HttpServletResponse given, FilterChain next)
            throws IOException, ServletException {
        if (dispatched.getDispatcherType() != DispatcherType.ASYNC) {
            next.doFilter(dispatched, given);
            return;
        }
        boolean mine;
        synchronized (this) {
            mine = turn;
            turn = false;
            inside = true;
            open = null;
        }
        HeldRequest application = heldRequest;
        HeldResponse holding = heldResponse;
        if (application == null || holding == null) {
            throw new IllegalStateException("an asynchronous dispatch came before the application was asked");
        }
        run(next, mine ? application : dispatched, mine ? holding : given);
        leave();
    }

    private void run(FilterChain next, HttpServletRequest to, HttpServletResponse from) {
        try {
            next.doFilter(to, from);
        } catch (Throwable e) {
            failed(e);
            return;
        }
        if (!request.isAsyncStarted()) {
            ended();
        }
    }

    /** The application has said all it will say. */
    void ended() {
        HeldResponse holding = Objects.requireNonNull(heldResponse);
        if (holding.error() != null) {
            render(holding, Objects.requireNonNull(holding.error()));
        }
        produced.complete(holding.produced());
    }

    /** The application has thrown. */
    void failed(Throwable thrown) {
        HeldResponse holding = Objects.requireNonNull(heldResponse);
        Throwable cause = thrown instanceof ServletException && thrown.getCause() != null ? thrown.getCause() : thrown;
        boolean nothing = cause instanceof NotExecutedException;
        if (!nothing) {
            LOG.error("{} {} has failed", request.getMethod(), request.getServletPath(), cause);
        }
        if (!holding.gone()) {
            holding.reset();
            render(holding, new HeldResponse.Failure(500, null, cause));
        }
        Produced said = holding.produced();
        produced.complete(nothing ? Produced.notExecuted(said.status(), said.headers(), said.body()) : said);
    }

    private void render(HeldResponse holding, HeldResponse.Failure failure) {
        holding.begin(failure.status());
        if (errorPage == null) {
            holding.plainError(failure);
            return;
        }
        try {
            ErrorPage.render(errorPage, failure, Objects.requireNonNull(heldRequest), holding);
        } catch (ServletException | IOException | RuntimeException e) {
            LOG.error("the error page {} has failed", errorPage, e);
            holding.resetBuffer();
            holding.plainError(failure);
        }
    }

    /** The application has begun to work asynchronously. */
    synchronized void started(AsyncContext context) {
        open = context;
    }

    /** The container has let go of the request: nothing may be written any more. */
    synchronized void closed() {
        closed = true;
    }

    private void answered(Answer told) {
        synchronized (this) {
            answer = told;
            if (inside) {
                return;
            }
        }
        deliver(told);
    }

    /** The container's thread goes. */
    private void leave() {
        Answer told;
        synchronized (this) {
            told = answer;
            if (told == null) {
                if (open == null) {
                    open = request.startAsync();
                    open.setTimeout(0);
                    open.addListener(new Closing(this));
                }
                if (turn) {
                    open.dispatch();
                }
            }
            inside = false;
        }
        if (told != null) {
            deliver(told);
        }
    }

    private void deliver(Answer told) {
        try {
            synchronized (this) {
                if (!closed) {
                    Sending.send(told, response);
                    if (open != null) {
                        open.complete();
                    }
                }
            }
        } catch (RuntimeException e) {
            LOG.debug("the container has ended a request before its answer was sent", e);
        } finally {
            exchange.close();
            delivered.countDown();
        }
    }

    /** For a container that ends the request when this returns: so long, the answer may still be recorded and sent. */
    void awaitDelivery() {
        try {
            if (!delivered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                LOG.warn("{} is ended by the container before it was recorded", request.getMethod());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
