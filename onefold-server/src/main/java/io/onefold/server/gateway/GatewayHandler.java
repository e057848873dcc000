package io.onefold.server.gateway;

import io.onefold.http.HttpContract;
import io.onefold.http.OutgoingResponse;
import io.onefold.http.Problem;
import io.onefold.http.ProblemException;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.RequestPlan;
import io.onefold.server.config.GatewayConfig.LimitConfig;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The adapter of the gateway. It asks the contract what to do with a request, reads its body if it is protected, and
 * sends it on once it is claimed. From then on the response is recorded even if the client has left.
 */
final class GatewayHandler extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayHandler.class);
    private static final Problem TOO_SLOW =
            Problem.of(Problem.ProblemType.OVERLOADED, "The gateway was too slow; nothing was carried out.");
    private static final Problem GIVEN_UP =
            new Problem(Problem.ProblemType.UPSTREAM_SILENT, 504, "The service has not ended its answer.");

    private final HttpContract contract;
    private final GatewayCallerResolver callers;
    private final UpstreamProxy upstream;
    private final GatewayResponseSender replies;
    private final InFlightRequests flights;
    private final GatewayMetrics metrics;
    private final Executor asking;
    private final Executor verifying;
    private final LimitConfig limits;

    GatewayHandler(
            HttpContract contract,
            GatewayCallerResolver callers,
            UpstreamProxy upstream,
            GatewayResponseSender replies,
            InFlightRequests flights,
            GatewayMetrics metrics,
            Executor asking,
            Executor verifying,
            LimitConfig limits) {
        super(upstream);
        this.asking = asking;
        this.verifying = verifying;
        this.contract = contract;
        this.callers = callers;
        this.upstream = upstream;
        this.replies = replies;
        this.flights = flights;
        this.metrics = metrics;
        this.limits = limits;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        // a client that waits for its response is not idle; one that stalls while sending or reading still is
        request.addIdleTimeoutListener(timeout -> false);
        if (!flights.enter()) {
            Problem leaving =
                    Problem.of(Problem.ProblemType.OVERLOADED, "This gateway is going away; nothing was carried out.");
            replies.problem(leaving, request, response, callback);
            return true;
        }
        SlowHeaderGuard.WatchedConnection connection = SlowHeaderGuard.of(request);
        Callback landing = new CompletionCallback(callback, response, flights, connection);
        if (connection.begins()) {
            take(request, response, landing);
        } else {
            landing.failed(new IOException("the head of the request came too late"));
        }
        return true;
    }

    private void take(Request request, Response response, Callback callback) {
        try {
            Problem unsupported = UnsupportedRequests.in(request);
            if (unsupported != null) {
                replies.problem(unsupported, request, response, callback);
            } else {
                plan(new JettyRequestHead(request, callers), request, response, callback);
            }
        } catch (Throwable e) {
            callback.failed(e);
        }
    }

    /** Plans the request. A slow store or token issuer must not block the few threads that all requests arrive on. */
    private void plan(JettyRequestHead head, Request request, Response response, Callback callback) {
        if (contract.asksStore(head)) {
            elsewhere(
                    asking, "the store", request, response, callback, () -> decide(head, request, response, callback));
        } else {
            decide(head, request, response, callback);
        }
    }

    private void decide(JettyRequestHead head, Request request, Response response, Callback callback) {
        RequestPlan plan;
        try {
            plan = contract.plan(head);
        } catch (CallerPendingException e) {
            elsewhere(
                    verifying,
                    "the keys of tokens",
                    request,
                    response,
                    callback,
                    () -> verify(head, request, response, callback));
            return;
        } catch (RuntimeException | StackOverflowError e) {
            notBegun(e, request, response, callback);
            return;
        }
        follow(plan, request, response, callback);
    }

    private void verify(JettyRequestHead head, Request request, Response response, Callback callback) {
        try {
            head.findCaller();
        } catch (RuntimeException e) {
            notBegun(e, request, response, callback);
            return;
        }
        plan(head, request, response, callback);
    }

    private void elsewhere(
            Executor threads, String what, Request request, Response response, Callback callback, Runnable step) {
        try {
            threads.execute(() -> {
                try {
                    step.run();
                } catch (Throwable e) {
                    callback.failed(e);
                }
            });
        } catch (RejectedExecutionException e) {
            Problem full = Problem.of(Problem.ProblemType.OVERLOADED, "Too many requests wait for " + what + ".");
            replies.problem(full, request, response, callback);
        }
    }

    private void follow(RequestPlan plan, Request request, Response response, Callback callback) {
        if (plan instanceof ProtectedExchange exchange) {
            protect(exchange, request, response, callback);
        } else if (plan instanceof RequestPlan.RespondNow answered) {
            replies.send(answered.answer(), request, response, callback);
        } else {
            upstream.handle(request, response, callback);
        }
    }

    private void protect(ProtectedExchange exchange, Request request, Response response, Callback callback) {
        var unused = GatewayBodyReader.start(request, exchange.spool())
                .orTimeout(limits.receive().toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((read, failure) -> {
                    if (failure == null) {
                        run(exchange, request, response, callback);
                    } else {
                        exchange.close();
                        unread(exchange, failure, request, response, callback);
                    }
                })
                .exceptionally(failure -> ended(failure, callback));
    }

    /** Responds to a request whose body could not be read; nothing was claimed. */
    private void unread(
            ProtectedExchange exchange, Throwable failure, Request request, Response response, Callback callback) {
        if (failure instanceof ProblemException rejection) {
            replies.send(exchange.refused(rejection), request, response, callback);
            return;
        }
        // the end of the body, and the beginning of the next request, can no longer be found
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        if (failure instanceof TimeoutException) {
            Problem late = new Problem(
                    Problem.ProblemType.BODY_INVALID, 408, "The body did not come in time; nothing was carried out.");
            replies.problem(late, request, response, callback);
        } else if (failure instanceof HttpException || failure instanceof IOException) {
            Problem broken = Problem.of(
                    Problem.ProblemType.BODY_INVALID,
                    "The body is not what its head says, or broke off; nothing was carried out.");
            replies.problem(broken, request, response, callback);
        } else {
            notBegun(failure, request, response, callback);
        }
    }

    /** Responds to a failure before anything was claimed or sent on, so nothing was done. */
    private void notBegun(Throwable failure, Request request, Response response, Callback callback) {
        LOG.error("a request could not be begun", failure);
        Problem unready = Problem.of(
                Problem.ProblemType.STORE_UNAVAILABLE, "The gateway could not make it ready; nothing was carried out.");
        replies.problem(unready, request, response, callback);
    }

    private void run(ProtectedExchange exchange, Request request, Response response, Callback callback) {
        metrics.waits();
        WaitingRequest waiting = new WaitingRequest(metrics);
        var unused = exchange.run((attempt, body) -> {
                    waiting.over();
                    if (attempt != null && attempt.leaseLost()) {
                        // it was paused for so long that it may have been settled meanwhile: it must not be sent any
                        // more
                        return CompletableFuture.completedFuture(replies.notExecuted(TOO_SLOW));
                    }
                    ProtectedUpstreamRequest claimed = new ProtectedUpstreamRequest(
                            request, body, exchange.maxHeld(), attempt, exchange.keyHeaders(), exchange.forwarded());
                    if (attempt != null) {
                        attempt.onLeaseLost(() -> giveUpLater(claimed));
                    }
                    upstream.handle(claimed, response, Callback.NOOP);
                    return claimed.produced();
                })
                .whenComplete((answer, impossible) -> {
                    waiting.over();
                    exchange.close();
                    answer(answer, request, response, callback);
                })
                .thenAccept(answer -> {})
                .exceptionally(failure -> ended(failure, callback));
    }

    /** Closes the connection after a failure that allows no response. Repeated calls do no harm. */
    private static @Nullable Void ended(Throwable failure, Callback callback) {
        callback.failed(failure);
        return null;
    }

    private void answer(OutgoingResponse answer, Request request, Response response, Callback callback) {
        if (answer.sent()) {
            response.write(true, BufferUtil.EMPTY_BUFFER, callback);
        } else if (response.isCommitted()) {
            // the client must see that the response is incomplete
            callback.failed(new IOException("the answer broke off"));
        } else {
            // the beginning of the service's response must not mix with this one
            response.reset();
            replies.send(answer, request, response, callback);
        }
    }

    /**
     * Gives up later, so that nobody waits for ever: once the service's timeout has passed after the lease was lost, the gateway
     * responds with unknown unless a response is complete.
     */
    private void giveUpLater(ProtectedUpstreamRequest claimed) {
        CompletableFuture.delayedExecutor(limits.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    if (!claimed.streams() && !claimed.produced().isDone()) {
                        claimed.produced().complete(replies.unknown(GIVEN_UP));
                    }
                });
    }
}
