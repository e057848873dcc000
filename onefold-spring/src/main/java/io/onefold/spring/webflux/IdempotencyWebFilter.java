package io.onefold.spring.webflux;

import io.onefold.http.Caller;
import io.onefold.http.HttpContract;
import io.onefold.http.OuterExceptions;
import io.onefold.http.OutgoingResponse;
import io.onefold.http.PreflightHeaders;
import io.onefold.http.PrincipalCallerResolver;
import io.onefold.http.Problem;
import io.onefold.http.ProblemException;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.RequestPlan;
import io.onefold.http.ShadowExchange;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The HTTP contract in a WebFlux application. It belongs after what authenticates and before what handles:
 *
 * <pre>{@code
 * @Bean
 * IdempotencyWebFilter onefoldFilter(
 *         HttpContract contract, List<WebExceptionHandler> errorHandlers, ServerCodecConfigurer codecs) {
 *     return new IdempotencyWebFilter(contract, IdempotencyWebFilter.USER_PRINCIPAL)
 *             .errorHandlers(errorHandlers)
 *             .codecs(codecs);
 * }
 * }</pre>
 *
 * Duplicates that wait hold no thread. What the application answers is held back until it is recorded, so that what was answered can be
 * answered again; a client that leaves meanwhile stops neither the application nor the record. The attempt is an attribute of the
 * exchange, named {@code io.onefold.Attempt}. The application is asked on a thread that may be blocked, with the Reactor context of the
 * request.
 */
public final class IdempotencyWebFilter implements WebFilter, Ordered {
    /** The user whom the application has authenticated; a key without such a user is an error. */
    public static final Function<ServerWebExchange, Mono<Caller>> USER_PRINCIPAL =
            userPrincipal(new PrincipalCallerResolver(Map.of()));

    /** All callers count as one: a caller that knows a key gets its response. */
    public static final Function<ServerWebExchange, Mono<Caller>> ANONYMOUS = exchange -> Mono.just(Caller.ANONYMOUS);

    /** The order after Spring Security, whose filters have -100. */
    public static final int DEFAULT_ORDER = 0;

    private static final Logger LOG = LoggerFactory.getLogger(IdempotencyWebFilter.class);

    /** An attribute of the exchange: a filter protects it. */
    private static final String HELD = IdempotencyWebFilter.class.getName();

    /** An attribute of the exchange: filters of this contract have seen it. */
    private final String seen;

    private final HttpContract contract;
    private final Function<ServerWebExchange, Mono<Caller>> callers;
    private final List<WebExceptionHandler> errorHandlers;
    private final ServerCodecConfigurer codecs;
    private final OuterExceptions outer;
    private final int order;

    /**
     * @param callers finds the caller; empty for none, which is an error if the request brings a key
     */
    public IdempotencyWebFilter(HttpContract contract, Function<ServerWebExchange, Mono<Caller>> callers) {
        this(contract, callers, List.of(), ServerCodecConfigurer.create(), OuterExceptions.NONE, DEFAULT_ORDER);
    }

    private IdempotencyWebFilter(
            HttpContract contract,
            Function<ServerWebExchange, Mono<Caller>> callers,
            List<WebExceptionHandler> errorHandlers,
            ServerCodecConfigurer codecs,
            OuterExceptions outer,
            int order) {
        this.contract = Objects.requireNonNull(contract, "contract");
        this.callers = Objects.requireNonNull(callers, "callers");
        this.errorHandlers = List.copyOf(errorHandlers);
        this.codecs = Objects.requireNonNull(codecs, "codecs");
        this.outer = Objects.requireNonNull(outer, "outer");
        this.order = order;
        this.seen = HELD + '@' + System.identityHashCode(contract);
    }

    /**
     * Renders errors of the application with these handlers, in this order. Spring calls them only after all filters, which is too late for
     * the record. An error that none of them renders becomes a problem response.
     */
    public IdempotencyWebFilter errorHandlers(List<WebExceptionHandler> handlers) {
        return new IdempotencyWebFilter(contract, callers, handlers, codecs, outer, order);
    }

    /** Sets the codecs with which the application reads forms and multipart bodies. The default is Spring's own. */
    public IdempotencyWebFilter codecs(ServerCodecConfigurer others) {
        return new IdempotencyWebFilter(contract, callers, errorHandlers, others, outer, order);
    }

    /**
     * Lets these exceptions of the application pass to the filters before this one, which handle them. By default there are none. The
     * exception itself passes, even if the application has thrown it as a cause: filters check types, not causes.
     */
    public IdempotencyWebFilter outerExceptions(OuterExceptions others) {
        return new IdempotencyWebFilter(contract, callers, errorHandlers, codecs, others, order);
    }

    /** Sets the order among the filters. */
    public IdempotencyWebFilter order(int other) {
        return new IdempotencyWebFilter(contract, callers, errorHandlers, codecs, outer, other);
    }

    /** Returns a function like {@link #USER_PRINCIPAL}, with aliases of those who vouch for names. */
    public static Function<ServerWebExchange, Mono<Caller>> userPrincipal(PrincipalCallerResolver callers) {
        return exchange -> exchange.getPrincipal()
                .filter(principal -> !AnonymousPrincipals.is(principal))
                .map(callers::of);
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange web, WebFilterChain chain) {
        boolean twice = contract.equals(web.getAttributes().put(seen, contract));
        if (twice || web.getAttribute(HELD) != null) {
            return chain.filter(web); // it is registered twice, or a filter before it protects the exchange
        }
        WebFluxRequestHead head = new WebFluxRequestHead(web.getRequest());
        return Mono.deferContextual(
                context -> plan(head, web).flatMap(plan -> follow(plan, head, web, chain, context)));
    }

    private Mono<RequestPlan> plan(WebFluxRequestHead head, ServerWebExchange web) {
        Mono<RequestPlan> plan = contract.asksStore(head)
                ? BlockingWorkScheduler.call(() -> contract.plan(head))
                : Mono.fromCallable(() -> contract.plan(head));
        return plan.onErrorResume(
                WebFluxRequestHead.CallerNotResolvedException.class,
                undecided -> callers.apply(web)
                        .map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .flatMap(caller -> {
                            head.found(caller.orElse(null));
                            return plan(head, web);
                        }));
    }

    private Mono<Void> follow(
            RequestPlan plan,
            WebFluxRequestHead head,
            ServerWebExchange web,
            WebFilterChain chain,
            ContextView context) {
        if (plan instanceof ProtectedExchange exchange) {
            web.getAttributes().put(HELD, true);
            web.getAttributes().remove(ShadowWebFluxExchange.OPERATION); // a filter before this one may only observe
            return protect(
                    exchange, head, new WebFluxExchange(exchange, web, chain, context, errorHandlers, codecs, outer));
        }
        if (plan instanceof ShadowExchange observation) {
            return web.getAttribute(ShadowWebFluxExchange.OPERATION) == null
                    ? new ShadowWebFluxExchange(observation, web, outer).pass(chain)
                    : chain.filter(web); // seen twice, the request would be its own duplicate
        }
        if (plan instanceof RequestPlan.RespondNow answered) {
            return WebFluxResponseSender.send(answered.answer(), web.getResponse(), false);
        }
        if (plan instanceof RequestPlan.PassThrough pass && pass.why() == RequestPlan.PassReason.STREAM) {
            web.getAttributes().put(WebFluxHandlerRequest.UNCLAIMED, true);
        }
        PreflightHeaders preflight = contract.preflight(head);
        if (preflight != null) {
            web.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> allowKeys(preflight, web.getResponse())));
        }
        return chain.filter(web);
    }

    private static void allowKeys(PreflightHeaders preflight, ServerHttpResponse response) {
        HttpHeaders headers = response.getHeaders();
        if (headers.getFirst(PreflightHeaders.ALLOW_ORIGIN) != null) {
            String said = String.join(", ", headers.getValuesAsList(PreflightHeaders.ALLOW_HEADERS));
            headers.set(PreflightHeaders.ALLOW_HEADERS, preflight.allowing(said));
        }
    }

    private Mono<Void> protect(ProtectedExchange exchange, WebFluxRequestHead head, WebFluxExchange held) {
        return new WebFluxBodyReader(held.exchange(), exchange)
                .read()
                .then(Mono.<OutgoingResponse>empty())
                .onErrorResume(failure -> {
                    exchange.close();
                    // the rest of the body is not worth reading
                    held.exchange().getResponse().getHeaders().setConnection("close");
                    return Mono.just(refused(exchange, head, failure));
                })
                .switchIfEmpty(held.answer())
                .flatMap(held::send)
                .doOnCancel(held::leave);
    }

    /** The response if nothing was claimed. */
    private OutgoingResponse refused(ProtectedExchange exchange, WebFluxRequestHead head, Throwable failure) {
        if (failure instanceof ProblemException rejection) {
            return exchange.refused(rejection);
        }
        if (failure instanceof RejectedExecutionException) {
            return contract.answer(Problem.of(Problem.ProblemType.OVERLOADED, "Too many bodies are being read."), head);
        }
        LOG.debug("a body could not be read to its end", failure);
        return exchange.refused(new ProblemException(
                Problem.ProblemType.BODY_INVALID, "It ended too early, was framed wrongly, or came too slowly."));
    }
}
