package io.onefold.spring.webflux;

import io.onefold.Attempt;
import io.onefold.NotExecutedException;
import io.onefold.http.BufferedBody;
import io.onefold.http.HandlerClaim;
import io.onefold.http.HandlerResponse;
import io.onefold.http.OuterExceptions;
import io.onefold.http.OutgoingResponse;
import io.onefold.http.Problem;
import io.onefold.http.ProblemException;
import io.onefold.http.ProtectedExchange;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilterChain;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * A protected request on its way through the application. The application has its own subscription: a client that leaves disturbs neither
 * the application nor the record.
 */
final class WebFluxExchange {
    private static final Logger LOG = LoggerFactory.getLogger(WebFluxExchange.class);
    private static final HandlerResponse NOT_EXECUTED = HandlerResponse.notExecuted(503, List.of(), new byte[0]);

    private static final HandlerResponse UNKNOWN = HandlerResponse.unknown(500, List.of(), new byte[0]);

    private static final Problem OVERLOADED =
            Problem.of(Problem.ProblemType.OVERLOADED, "Too many requests are being handled.");

    private final ProtectedExchange exchange;
    private final ServerWebExchange web;
    private final WebFilterChain chain;
    private final ContextView context;
    private final List<WebExceptionHandler> errorHandlers;
    private final ServerCodecConfigurer codecs;
    private final OuterExceptions outer;
    private final ProtectedServerRequest request;
    private final HeaderLines before;
    private final Sinks.Empty<Void> leaving = Sinks.empty();

    private final Sinks.Empty<Void> abandoned = Sinks.empty();

    private volatile @Nullable Attempt attempt;
    private volatile boolean streams;
    private volatile boolean left;
    private volatile boolean handled;

    /** The exception for filters before this one in place of a response; null if there is a response. */
    private volatile @Nullable Throwable outward;

    WebFluxExchange(
            ProtectedExchange exchange,
            ServerWebExchange web,
            WebFilterChain chain,
            ContextView context,
            List<WebExceptionHandler> errorHandlers,
            ServerCodecConfigurer codecs,
            OuterExceptions outer) {
        this.exchange = exchange;
        this.web = web;
        this.chain = chain;
        this.context = context;
        this.errorHandlers = errorHandlers;
        this.codecs = codecs;
        this.outer = outer;
        this.request = new ProtectedServerRequest(web.getRequest());
        this.before = HeaderLines.of(web.getResponse().getHeaders());
    }

    ServerWebExchange exchange() {
        return web;
    }

    /** The client has left. */
    void leave() {
        left = true;
        leaving.tryEmitEmpty();
        Attempt late = exchange.lateAttempt();
        if (late != null) {
            abandonWithLease(late);
        }
        abandonIfOver();
    }

    private void abandonWithLease(Attempt claimed) {
        claimed.onLeaseLost(() -> Schedulers.parallel().schedule(this::abandonIfOver));
    }

    /** Ends a streamed response, which may have no end. If the client has left, the end is awaited only as long as the claim lasts. */
    private void abandonIfOver() {
        Attempt claimed = attempt == null ? exchange.lateAttempt() : attempt;
        if (streams && left && (claimed == null || claimed.leaseLost())) {
            abandoned.tryEmitEmpty();
        }
    }

    /** Computes the response after the body was read. The body may be on disk, so this does not begin on a thread of an event loop. */
    Mono<OutgoingResponse> answer() {
        return Mono.defer(() -> {
            CompletableFuture<OutgoingResponse> answer = new CompletableFuture<>();
            try {
                BlockingWorkScheduler.run(() -> begin(answer));
            } catch (RejectedExecutionException e) {
                exchange.close();
                return Mono.just(exchange.refused(new ProblemException(OVERLOADED)));
            }
            Mono<OutgoingResponse> told = Mono.fromFuture(answer, true);
            // not on a thread that queries the store, unless there is no other
            return told.publishOn(Schedulers.boundedElastic())
                    .onErrorResume(RejectedExecutionException.class, full -> told);
        });
    }

    private void begin(CompletableFuture<OutgoingResponse> answer) {
        if (left) {
            exchange.close();
            return;
        }
        try {
            var unused = exchange.run(this::handle).whenComplete((told, impossible) -> {
                exchange.close();
                answer.complete(told);
            });
        } catch (Throwable e) {
            exchange.close();
            answer.completeExceptionally(e);
        }
    }

    Mono<Void> send(OutgoingResponse answer) {
        Throwable instead = outward;
        if (instead != null) {
            return Mono.error(instead);
        }
        return WebFluxResponseSender.send(answer, web.getResponse(), handled);
    }

    private CompletionStage<HandlerResponse> handle(@Nullable Attempt won, BufferedBody body) {
        if (left) {
            // the client left during the wait: the response is not needed, and the server may reuse its objects for
            // another request
            return CompletableFuture.completedFuture(NOT_EXECUTED);
        }
        handled = true;
        request.with(body, exchange.keyHeaders(), exchange.forwarded());
        web.getAttributes().put(WebFluxHandlerRequest.EXCHANGE, exchange);
        if (won != null) {
            attempt = won;
            web.getAttributes().put(Attempt.class.getName(), won);
            abandonWithLease(won);
        }
        CompletableFuture<HandlerResponse> produced = new CompletableFuture<>();
        try {
            BlockingWorkScheduler.run(() -> subscribe(produced));
        } catch (RejectedExecutionException e) {
            produced.complete(NOT_EXECUTED);
        }
        return produced;
    }

    private void subscribe(CompletableFuture<HandlerResponse> produced) {
        try {
            handling().contextWrite(context).subscribe(produced::complete, produced::completeExceptionally);
        } catch (Throwable e) {
            // errors that no reactive pipeline catches, such as a missing class
            produced.completeExceptionally(e);
        }
    }

    private Mono<HandlerResponse> handling() {
        ProtectedServerResponse response = response();
        ProtectedServerWebExchange seen = new ProtectedServerWebExchange(web, request, response, codecs);
        return Mono.defer(() -> chain.filter(seen))
                .then(said(response))
                .onErrorResume(thrown -> failed(Exceptions.unwrap(thrown), seen, response))
                .takeUntilOther(abandoned.asMono())
                .switchIfEmpty(Mono.fromSupplier(() -> abandoned(response)))
                .map(this::begun)
                .flatMap(produced -> seen.cleanupMultipart().onErrorComplete().thenReturn(produced));
    }

    /** The application was stopped during its response. */
    private HandlerResponse abandoned(ProtectedServerResponse response) {
        LOG.warn(
                "{} {} is stopped: its client has left, and its answer has not ended in the time that it has (max-run)",
                request.getMethod(),
                request.getPath());
        return HandlerResponse.unknown(response.status(), List.of(), new byte[0]);
    }

    /** Counts the request as begun, unless the application says that its handler was never reached. */
    private HandlerResponse begun(HandlerResponse said) {
        return neverBegun() && said.certainty() == HandlerResponse.ExecutionCertainty.ANSWERED
                ? HandlerResponse.notBegun(said.status(), said.headers(), said.body())
                : said;
    }

    private boolean neverBegun() {
        return Boolean.FALSE.equals(web.getAttribute(WebFluxHandlerRequest.BEGUN));
    }

    private ProtectedServerResponse response() {
        return new ProtectedServerResponse(
                web.getResponse(),
                before,
                exchange::maxHeld,
                exchange::isOurs,
                exchange::marks,
                leaving.asMono(),
                this::streams,
                context);
    }

    private void streams() {
        streams = true;
        abandonIfOver();
    }

    /** Ends when the application's response is complete. */
    private static Mono<HandlerResponse> said(ProtectedServerResponse response) {
        return Mono.defer(response::setComplete).then(Mono.fromSupplier(response::produced));
    }

    /** The application has failed. */
    private Mono<HandlerResponse> failed(
            Throwable thrown, ProtectedServerWebExchange seen, ProtectedServerResponse response) {
        if (HandlerClaim.ClaimNotGrantedException.is(thrown) && attempt == null && exchange.lateAttempt() == null) {
            return Mono.just(NOT_EXECUTED); // no client will see the response
        }
        if (response.gone()) {
            return brokenOff(thrown, response);
        }
        HandlerResponse outside = answeredOutside(thrown);
        if (outside != null) {
            return Mono.just(outside);
        }
        // the held part of a failed response is discarded
        ProtectedServerResponse fresh = response.isCommitted() ? response() : response;
        ProtectedServerWebExchange rendering =
                fresh == response ? seen : new ProtectedServerWebExchange(web, request, fresh, codecs);
        Mono<Void> rendered = Mono.error(thrown);
        for (WebExceptionHandler handler : errorHandlers) {
            rendered = rendered.onErrorResume(error -> handler.handle(rendering, error));
        }
        return rendered.then(said(fresh))
                .onErrorResume(unresolved -> fresh.gone()
                        ? brokenOff(unresolved, fresh)
                        : Mono.fromSupplier(() -> PlainErrorResponse.of(unresolved, request)))
                .map(said -> thrown instanceof NotExecutedException
                        ? HandlerResponse.notExecuted(said.status(), said.headers(), said.body())
                        : said.because(thrown));
    }

    /** Returns the outcome if a filter before this one handles the exception; null if none does. */
    private @Nullable HandlerResponse answeredOutside(Throwable thrown) {
        Throwable translated = outer.find(thrown);
        HandlerResponse known = exchange.thrown(thrown, UNKNOWN);
        if (translated == null || known.certainty() == HandlerResponse.ExecutionCertainty.LAST) {
            return null; // no filter does, or the application says that this is its response
        }
        outward = translated;
        return neverBegun() ? HandlerResponse.notBegun(known.status(), known.headers(), known.body()) : known;
    }

    /** Ends a response that went out in part. Neither the client nor a duplicate may take it for the whole. */
    private Mono<HandlerResponse> brokenOff(Throwable thrown, ProtectedServerResponse response) {
        LOG.error("{} {} has failed in its answer", request.getMethod(), request.getPath(), thrown);
        outward = new IllegalStateException("the response was cut after a part of it was sent");
        return Mono.just(HandlerResponse.unknown(response.status(), List.of(), new byte[0])
                .because(thrown));
    }
}
