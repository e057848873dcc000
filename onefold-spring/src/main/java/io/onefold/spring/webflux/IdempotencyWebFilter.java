package io.onefold.spring.webflux;

import io.onefold.http.Answer;
import io.onefold.http.Caller;
import io.onefold.http.Exchange;
import io.onefold.http.HttpContract;
import io.onefold.http.Observation;
import io.onefold.http.OuterExceptions;
import io.onefold.http.Plan;
import io.onefold.http.Preflight;
import io.onefold.http.PrincipalCallers;
import io.onefold.http.Problem;
import io.onefold.http.RejectedException;
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
    /** Whom the application has authenticated; nobody else may bring a key. */
    public static final Function<ServerWebExchange, Mono<Caller>> USER_PRINCIPAL =
            userPrincipal(new PrincipalCallers(Map.of()));

    /** All are one: who knows a key gets its answer. */
    public static final Function<ServerWebExchange, Mono<Caller>> ANONYMOUS = exchange -> Mono.just(Caller.ANONYMOUS);

    /** After Spring Security, whose filters have -100. */
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
     * @param callers who asks; empty for nobody, which is an error where a key is brought
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
     * Renders errors of the application with these, in this order. Spring asks them only after all filters, too late to be recorded;
     * an error that none of them renders is answered as a problem.
     */
    public IdempotencyWebFilter errorHandlers(List<WebExceptionHandler> handlers) {
        return new IdempotencyWebFilter(contract, callers, handlers, codecs, outer, order);
    }

    /** What the application reads forms and multipart bodies with; Spring's own unless told otherwise. */
    public IdempotencyWebFilter codecs(ServerCodecConfigurer others) {
        return new IdempotencyWebFilter(contract, callers, errorHandlers, others, outer, order);
    }

    /**
     * Lets these exceptions of the application pass to the filters before this one, which answer them; none unless told otherwise. What
     * passes is the exception itself, also where the application has thrown it as a cause: filters look at types, and not at causes.
     */
    public IdempotencyWebFilter outerExceptions(OuterExceptions others) {
        return new IdempotencyWebFilter(contract, callers, errorHandlers, codecs, others, order);
    }

    /** Where it stands among the filters. */
    public IdempotencyWebFilter order(int other) {
        return new IdempotencyWebFilter(contract, callers, errorHandlers, codecs, outer, other);
    }

    /** As {@link #USER_PRINCIPAL}, with aliases of those who vouch for names. */
    public static Function<ServerWebExchange, Mono<Caller>> userPrincipal(PrincipalCallers callers) {
        return exchange -> exchange.getPrincipal()
                .filter(principal -> !Nobody.is(principal))
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
            return chain.filter(web); // it is registered twice, or another before it protects
        }
        ExchangeHead head = new ExchangeHead(web.getRequest());
        return Mono.deferContextual(
                context -> plan(head, web).flatMap(plan -> follow(plan, head, web, chain, context)));
    }

    private Mono<Plan> plan(ExchangeHead head, ServerWebExchange web) {
        Mono<Plan> plan = contract.asksStore(head)
                ? Elsewhere.call(() -> contract.plan(head))
                : Mono.fromCallable(() -> contract.plan(head));
        return plan.onErrorResume(
                ExchangeHead.Undecided.class,
                undecided -> callers.apply(web)
                        .map(Optional::of)
                        .defaultIfEmpty(Optional.empty())
                        .flatMap(caller -> {
                            head.found(caller.orElse(null));
                            return plan(head, web);
                        }));
    }

    private Mono<Void> follow(
            Plan plan, ExchangeHead head, ServerWebExchange web, WebFilterChain chain, ContextView context) {
        if (plan instanceof Exchange exchange) {
            web.getAttributes().put(HELD, true);
            web.getAttributes().remove(Observed.OPERATION); // a filter before this one may only look
            return protect(exchange, head, new Held(exchange, web, chain, context, errorHandlers, codecs, outer));
        }
        if (plan instanceof Observation observation) {
            return web.getAttribute(Observed.OPERATION) == null
                    ? new Observed(observation, web, outer).pass(chain)
                    : chain.filter(web); // seen twice, it would be its own duplicate
        }
        if (plan instanceof Plan.Answered answered) {
            return Sending.send(answered.answer(), web.getResponse(), false);
        }
        if (plan instanceof Plan.Pass pass && pass.why() == Plan.Reason.STREAM) {
            web.getAttributes().put(ExchangeRequest.UNCLAIMED, true);
        }
        Preflight preflight = contract.preflight(head);
        if (preflight != null) {
            web.getResponse().beforeCommit(() -> Mono.fromRunnable(() -> allowKeys(preflight, web.getResponse())));
        }
        return chain.filter(web);
    }

    private static void allowKeys(Preflight preflight, ServerHttpResponse response) {
        HttpHeaders headers = response.getHeaders();
        if (headers.getFirst(Preflight.ALLOW_ORIGIN) != null) {
            String said = String.join(", ", headers.getValuesAsList(Preflight.ALLOW_HEADERS));
            headers.set(Preflight.ALLOW_HEADERS, preflight.allowing(said));
        }
    }

    private Mono<Void> protect(Exchange exchange, ExchangeHead head, Held held) {
        return new Reading(held.exchange(), exchange)
                .read()
                .then(Mono.<Answer>empty())
                .onErrorResume(failure -> {
                    exchange.close();
                    // what is left of the body is not worth reading
                    held.exchange().getResponse().getHeaders().setConnection("close");
                    return Mono.just(refused(exchange, head, failure));
                })
                .switchIfEmpty(held.answer())
                .flatMap(held::send)
                .doOnCancel(held::leave);
    }

    /** Nothing was claimed. */
    private Answer refused(Exchange exchange, ExchangeHead head, Throwable failure) {
        if (failure instanceof RejectedException rejection) {
            return exchange.refused(rejection);
        }
        if (failure instanceof RejectedExecutionException) {
            return contract.answer(Problem.of(Problem.Type.OVERLOADED, "Too many bodies are being read."), head);
        }
        LOG.debug("a body could not be read to its end", failure);
        return exchange.refused(new RejectedException(
                Problem.Type.BODY_INVALID, "It ended too early, was framed wrongly, or came too slowly."));
    }
}
