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

    private final CountDownLatch delivered = new CountDownLatch(1);

    private @Nullable Attempt attempt;
    private @Nullable HeldRequest heldRequest;
    private @Nullable HeldResponse heldResponse;
    private boolean inside = true;
    private boolean closed;
    private boolean ending;
    private boolean own;
    private volatile boolean broken;
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
        leave(response);
    }

    private CompletionStage<Produced> handle(@Nullable Attempt won, Body body) {
        synchronized (this) {
            if (closed) {
                // the client went while its request waited, and the container's objects may serve another by now
                return CompletableFuture.completedFuture(Produced.notExecuted(503, List.of(), new byte[0]));
            }
            attempt = won;
            request.setAttribute(Attempt.class.getName(), won);
            heldRequest = new HeldRequest(this, told(won), body);
            heldResponse = new HeldResponse(response, exchange.maxHeld());
            heldRequest.with(heldResponse);
        }
        if (Thread.currentThread() == first && !left()) {
            run(chain, heldRequest, heldResponse);
        } else {
            takeTurn();
        }
        return produced;
    }

    /** With what the policy lets the application see of the key. */
    private HttpServletRequest told(@Nullable Attempt won) {
        return won == null ? request : new ForwardedKey(request, exchange.keyHeaders(), exchange.forwarded(won));
    }

    private synchronized boolean left() {
        return !inside;
    }

    /** The application is to run, but this thread is not the container's. */
    private synchronized void takeTurn() {
        turn = true;
        if (open != null && !dispatched()) {
            produced.complete(Produced.notExecuted(503, List.of(), new byte[0]));
        }
    }

    /** Whether the container could be asked for a thread: not if it has let go of the request. */
    private synchronized boolean dispatched() {
        try {
            Objects.requireNonNull(open).dispatch();
            return true;
        } catch (IllegalStateException e) {
            LOG.debug("the container has ended a request that was still under way", e);
            return false;
        }
    }

    /** A dispatch of a request that is held already. */
    void again(HttpServletRequest dispatched, HttpServletResponse given, FilterChain next)
            throws IOException, ServletException {
        if (dispatched.getDispatcherType() != DispatcherType.ASYNC) {
            next.doFilter(dispatched, given);
            return;
        }
        if (broken) {
            throw brokenOff();
        }
        boolean mine;
        synchronized (this) {
            mine = turn;
            turn = false;
            inside = true;
            ending = false;
            open = null;
        }
        HeldRequest application = heldRequest;
        HeldResponse holding = heldResponse;
        if (application == null || holding == null) {
            throw new IllegalStateException("an asynchronous dispatch came before the application was asked");
        }
        if (mine) {
            holding.to(given);
        }
        run(next, mine ? application : dispatched, mine ? holding : given);
        // what an application's own dispatch is given is what it has given itself: the response that is held
        leave(mine ? given : response);
    }

    private void run(FilterChain next, HttpServletRequest to, HttpServletResponse from) {
        try {
            String container = String.valueOf(request.getServletContext().getServerInfo());
            next.doFilter(to, Unwrappable.of(from, container));
        } catch (Throwable e) {
            failed(e, false);
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
        produced.complete(begun(holding.produced()));
    }

    /** Unless the application says that its handler was never reached. */
    private Produced begun(Produced said) {
        boolean never = Boolean.FALSE.equals(Objects.requireNonNull(heldRequest).getAttribute(IdempotencyFilter.BEGUN));
        return never && said.certainty() == Produced.Certainty.ANSWERED
                ? Produced.notBegun(said.status(), said.headers(), said.body())
                : said;
    }

    /**
     * The application has thrown, or has not ended in time.
     *
     * @param stillAtWork whether it may be: then nobody knows what becomes of the request, whatever an error means otherwise
     */
    void failed(Throwable thrown, boolean stillAtWork) {
        HeldResponse holding = Objects.requireNonNull(heldResponse);
        Throwable cause = thrown instanceof ServletException && thrown.getCause() != null ? thrown.getCause() : thrown;
        boolean nothing = cause instanceof NotExecutedException;
        if (!nothing) {
            LOG.error("{} {} has failed", request.getMethod(), request.getServletPath(), cause);
        }
        if (holding.gone()) {
            // what went out is not the whole of it, and neither the client nor a duplicate is to take it for that
            broken = true;
            produced.complete(unknown());
            return;
        }
        holding.reset();
        render(holding, new HeldResponse.Failure(500, null, cause));
        Produced said = holding.produced();
        produced.complete(begun(
                stillAtWork && !nothing
                        ? Produced.unknown(said.status(), said.headers(), said.body())
                        : exchange.thrown(cause, said)));
    }

    private void render(HeldResponse holding, HeldResponse.Failure failure) {
        holding.begin(failure.status());
        if (errorPage == null || isClosed()) {
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
        own = false;
    }

    /** The container ends the request as soon as it gets its thread back: there will be no other. */
    synchronized void ending() {
        ending = true;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** The container has let go of the request, or is about to: nothing may be written any more, nor asked. */
    synchronized void closed() {
        if (!closed && heldResponse != null && !produced.isDone()) {
            heldResponse.detach();
        }
        closed = true;
        if (turn && !produced.isDone()) {
            LOG.error(
                    "{} was dispatched past IdempotencyFilter: it must be mapped for asynchronous dispatches, too"
                            + " (DispatcherType.ASYNC)",
                    request.getServletPath());
            produced.complete(Produced.unknown(500, List.of(), new byte[0]));
        }
    }

    /**
     * Nobody waits for the application any more, but it may still be at work. If it says nothing in the time that it would have had, or
     * until its claim is lost, nobody knows how it ended.
     *
     * @param millis 0 for no end
     */
    void expectEnd(long millis) {
        Produced unknown = unknown();
        if (millis > 0) {
            produced.completeOnTimeout(unknown, millis, TimeUnit.MILLISECONDS);
        }
        Attempt won = attempt;
        if (won != null) {
            won.onLeaseLost(() -> produced.complete(unknown));
        }
    }

    /** The application wants to go on where it cannot. */
    void stranded() {
        if (isClosed()) {
            produced.complete(unknown());
        }
    }

    /** The container has ended the request: whoever listened to the application's part of it hears of it. */
    void completed() {
        closed();
        HeldRequest application = heldRequest;
        if (application != null) {
            application.completed();
        }
    }

    private Produced unknown() {
        return Produced.unknown(Objects.requireNonNull(heldResponse).getStatus(), List.of(), new byte[0]);
    }

    /** The container has met an error: unless it is told that all is done, it writes that error into the answer that is held. */
    synchronized void giveUp() {
        try {
            if (!response.isCommitted()) {
                response.reset();
                response.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
            }
            if (open != null) {
                open.complete();
            }
        } catch (IllegalStateException e) {
            LOG.debug("the container has ended a request that had met an error", e);
        }
    }

    private void answered(Answer told) {
        synchronized (this) {
            answer = told;
            if (inside) {
                return;
            }
            // on a thread of the container's: a client that reads slowly must not hold those that ask the store
            if (!closed && !ending && handedOver(() -> deliver(told, answering()))) {
                return;
            }
        }
        deliver(told, answering());
    }

    /** Whether the container has a thread for it. */
    private synchronized boolean handedOver(Runnable task) {
        try {
            Objects.requireNonNull(open).start(task);
            return true;
        } catch (RuntimeException e) {
            LOG.debug("the container has no thread for an answer", e);
            return false;
        }
    }

    /** Filters before this one have done with the response that they gave: who waited is answered by the container's own. */
    private synchronized HttpServletResponse answering() {
        if (!own || open == null || closed) {
            return response; // a container that has let go does not say which is its own
        }
        return open.getResponse() instanceof HttpServletResponse plain ? plain : response;
    }

    /** The container's thread goes. */
    private void leave(HttpServletResponse given) {
        Answer told;
        synchronized (this) {
            told = answer;
            if (told == null) {
                if (open == null) {
                    open = request.startAsync();
                    own = true;
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
            deliver(told, given);
            if (broken) {
                throw brokenOff();
            }
        }
    }

    private void deliver(Answer told, HttpServletResponse to) {
        try {
            synchronized (this) {
                if (!closed && !broken) {
                    Sending.send(told, to);
                }
            }
        } finally {
            exchange.close();
            complete();
            delivered.countDown();
        }
    }

    private static IllegalStateException brokenOff() {
        return new IllegalStateException("an answer broke off after a part of it went out");
    }

    /** On the container's thread that has told of a timeout: in some containers nobody else may end the request. */
    private void finish() {
        synchronized (this) {
            ending = false;
        }
        complete();
    }

    private synchronized void complete() {
        try {
            if (open != null && !closed && !ending) {
                if (broken) {
                    // a container breaks a connection off if something is thrown on a thread of its own, and not
                    // otherwise
                    open.dispatch();
                } else {
                    open.complete();
                }
            }
        } catch (IllegalStateException e) {
            LOG.debug("the container has ended a request before its answer was sent", e);
        }
    }

    /** For a container that ends the request when this returns: so long, the answer may still be recorded and sent. */
    void awaitDelivery() {
        try {
            if (delivered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                finish();
            } else {
                LOG.warn("{} is ended by the container before it was recorded", request.getMethod());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
