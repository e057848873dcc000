package io.onefold.http.servlet;

import io.onefold.Attempt;
import io.onefold.http.BufferedBody;
import io.onefold.http.HandlerResponse;
import io.onefold.http.OuterExceptions;
import io.onefold.http.OutgoingResponse;
import io.onefold.http.ProtectedExchange;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
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
 * A protected request on its way through a container; {@link ServletInvocation} is the application at work on it.
 *
 * <p>The container's threads come and go: the one that brings the request, later one for each asynchronous dispatch. While one is
 * {@link #inside}, it delivers the answer itself when it leaves. If there is no answer then, the request goes on asynchronously, and
 * whoever has the answer delivers it. A duplicate that waited and gets its turn is dispatched, so that the application runs on a thread
 * of the container's.
 */
final class ServletExchange {
    static final String ATTRIBUTE = ServletExchange.class.getName();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Logger LOG = LoggerFactory.getLogger(ServletExchange.class);

    private final Object place;
    private final ProtectedExchange exchange;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final FilterChain chain;
    private final @Nullable String errorPage;
    private final OuterExceptions outer;
    private final Thread first = Thread.currentThread();
    private final CountDownLatch delivered = new CountDownLatch(1);

    private volatile @Nullable ServletInvocation running;
    private boolean inside = true;
    private boolean closed;
    private boolean ending;
    private boolean own;
    private boolean turn;
    private volatile boolean thrown;
    private @Nullable AsyncContext open;
    private @Nullable OutgoingResponse answer;

    /** @param place of the filter that has it in hand */
    ServletExchange(
            Object place,
            ProtectedExchange exchange,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain,
            @Nullable String errorPage,
            OuterExceptions outer) {
        this.place = place;
        this.exchange = exchange;
        this.request = request;
        this.response = response;
        this.chain = chain;
        this.errorPage = errorPage;
        this.outer = outer;
    }

    boolean isAt(Object other) {
        return place == other;
    }

    /** On the thread that brought the request, after its body was read. */
    void begin() throws IOException, ServletException {
        request.setAttribute(ATTRIBUTE, this);
        var unused = exchange.runHere(this::handle).thenAccept(this::answered);
        leave(response, true);
    }

    private CompletionStage<HandlerResponse> handle(@Nullable Attempt won, BufferedBody body) {
        ServletInvocation application;
        synchronized (this) {
            if (closed) {
                // the client went while its request waited, and the container's objects may serve another by now
                return CompletableFuture.completedFuture(HandlerResponse.notBegun(503, List.of(), new byte[0]));
            }
            request.setAttribute(Attempt.class.getName(), won);
            request.setAttribute(IdempotencyFilter.EXCHANGE, exchange);
            application = new ServletInvocation(this, exchange, won, told(), response, body, errorPage, outer);
            running = application;
        }
        if (Thread.currentThread() == first && !left()) {
            run(application, chain, application.request(), application.response());
        } else {
            takeTurn();
        }
        return application.produced();
    }

    /** With what the policy lets the application see of the key. */
    private HttpServletRequest told() {
        List<String> replaced = exchange.keyHeaders();
        return replaced.isEmpty() ? request : new ForwardedKeyRequest(request, replaced, exchange.forwarded());
    }

    private synchronized boolean left() {
        return !inside;
    }

    /** The application is to run, but this thread is not the container's. */
    private synchronized void takeTurn() {
        turn = true;
        if (open != null && !dispatched()) {
            running().neverBegan();
        }
    }

    /** Asks the container for a thread. Returns false if the container has released the request. */
    private synchronized boolean dispatched() {
        try {
            Objects.requireNonNull(open).dispatch();
            return true;
        } catch (IllegalStateException e) {
            LOG.debug("the container has ended a request that was still under way", e);
            return false;
        }
    }

    private ServletInvocation running() {
        ServletInvocation application = running;
        if (application == null) {
            throw new IllegalStateException("an asynchronous dispatch came before the application was asked");
        }
        return application;
    }

    /** A dispatch of a request that is held already. */
    void again(HttpServletRequest dispatched, HttpServletResponse given, FilterChain next)
            throws IOException, ServletException {
        if (dispatched.getDispatcherType() != DispatcherType.ASYNC) {
            next.doFilter(dispatched, given);
            return;
        }
        ServletInvocation application = running();
        if (thrown) {
            // whoever answers what was thrown has dispatched it
            next.doFilter(dispatched, given);
            return;
        }
        boolean plain;
        synchronized (this) {
            plain = own;
        }
        if (outward() != null) {
            throwOutward(plain);
            return;
        }
        boolean mine;
        synchronized (this) {
            mine = turn;
            turn = false;
            inside = true;
            ending = false;
            open = null;
        }
        if (mine) {
            application.response().to(given);
        }
        run(application, next, mine ? application.request() : dispatched, mine ? application.response() : given);
        // what an application's own dispatch is given is what it has given itself: the response that is held
        leave(mine ? given : response, plain);
    }

    private void run(ServletInvocation application, FilterChain next, HttpServletRequest to, HttpServletResponse from) {
        try {
            String container = String.valueOf(request.getServletContext().getServerInfo());
            next.doFilter(to, UnwrappableResponse.of(from, container));
        } catch (Throwable e) {
            application.failed(e, false);
            return;
        }
        if (!request.isAsyncStarted()) {
            application.ended();
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

    /** The container has let go of the request, or is about to: nothing may be written any more, nor asked. */
    synchronized void closed() {
        if (!closed && running != null) {
            running.detach();
        }
        closed = true;
        if (turn) {
            passedBy();
        }
    }

    /** The container has ended a request that was dispatched, and nobody was told how the application has ended. */
    void passedBy() {
        if (!running().isOver()) {
            LOG.error(
                    "{} was dispatched past IdempotencyFilter: it must be mapped for asynchronous dispatches, too"
                            + " (DispatcherType.ASYNC)",
                    request.getServletPath());
            running().lost();
        }
    }

    /** The container has ended the request: whoever listened to the application's part of it hears of it. */
    void completed() {
        closed();
        ServletInvocation application = running;
        if (application != null) {
            application.request().completed();
        }
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

    private void answered(OutgoingResponse told) {
        synchronized (this) {
            answer = told;
            if (inside) {
                notifyAll();
                return;
            }
            // on a thread of the container's: a client that reads slowly must not hold those that ask the store
            if (!closed && !ending && handedOver(() -> deliver(told, answering()))) {
                return;
            }
        }
        deliver(told, answering());
    }

    /** Returns true if the container has a thread for the task. */
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

    /**
     * The container's thread goes.
     *
     * @param plain whether the filters before this one have the container's response, and not the one that is held
     */
    private void leave(HttpServletResponse given, boolean plain) throws IOException, ServletException {
        OutgoingResponse told;
        boolean returns;
        synchronized (this) {
            if (answer == null && open == null) {
                suspend();
            }
            told = answer;
            if (told == null && turn && !dispatched()) {
                running().neverBegan();
            }
            inside = false;
            returns = open != null;
        }
        if (told != null) {
            deliver(told, given);
            if (!returns && outward() != null) {
                throwOutward(plain);
            }
        }
    }

    /**
     * Throws to the filters before this one, and to the container behind them. In an application's own dispatch these
     * filters have the response that is held, and their response would not reach the client. Then the exception is
     * thrown from another dispatch.
     */
    private void throwOutward(boolean plain) throws IOException, ServletException {
        Throwable outward = outward();
        if (!plain && !response.isCommitted()) {
            dispatchPlainly();
            return;
        }
        thrown = true;
        if (outward instanceof IOException e) {
            throw e;
        }
        if (outward instanceof RuntimeException e) {
            throw e;
        }
        if (outward instanceof Error e) {
            throw e;
        }
        throw outward instanceof ServletException e ? e : new ServletException(outward);
    }

    private synchronized void dispatchPlainly() {
        if (!closed) {
            startPlainly();
            dispatched();
        }
    }

    /** Asynchronously, with the container's own request and response. */
    private synchronized void startPlainly() {
        // Tomcat takes it for an error of the asynchronous request, and ends that
        request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
        AsyncContext started = request.startAsync();
        open = started;
        own = true;
        started.setTimeout(0);
        started.addListener(new RequestReleaseListener(this));
    }

    /**
     * The request goes on without a thread. Where the servlet supports no asynchronous requests, a container may refuse that after it has
     * run: then its own thread waits for the record, as it would have without the filter for all that the servlet does.
     */
    private synchronized void suspend() {
        try {
            startPlainly();
        } catch (IllegalStateException e) {
            if (running == null || !running.isOver()) {
                giveBack();
                throw e;
            }
            awaitAnswer();
        }
    }

    private synchronized void awaitAnswer() {
        try {
            while (answer == null) {
                wait();
            }
        } catch (InterruptedException e) {
            giveBack();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before an answer was recorded", e);
        }
    }

    /** The container has its request back, unanswered: whoever has the answer has nobody to tell it to. */
    private synchronized void giveBack() {
        closed = true;
        inside = false;
        if (running != null) {
            running.lost();
        }
    }

    private @Nullable Throwable outward() {
        ServletInvocation application = running;
        return application == null ? null : application.outward();
    }

    private void deliver(OutgoingResponse told, HttpServletResponse to) {
        try {
            synchronized (this) {
                if (!closed && outward() == null) {
                    ServletResponseSender.send(told, to);
                }
            }
        } finally {
            exchange.close();
            complete();
            delivered.countDown();
        }
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
                if (outward() != null) {
                    // on a thread of the container's, which the filters before this one see as well: a container breaks
                    // a
                    // connection off if something is thrown there, and not otherwise
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
