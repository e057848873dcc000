package io.onefold.http.servlet;

import io.onefold.http.Caller;
import io.onefold.http.HttpContract;
import io.onefold.http.OuterExceptions;
import io.onefold.http.OutgoingResponse;
import io.onefold.http.PreflightHeaders;
import io.onefold.http.PrincipalCallerResolver;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.RequestPlan;
import io.onefold.http.ShadowExchange;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP contract in a servlet container. It belongs after what authenticates and before what handles, for requests and for
 * asynchronous dispatches, with asynchronous support:
 *
 * <pre>{@code
 * new IdempotencyFilter(contract, IdempotencyFilter.USER_PRINCIPAL).addTo(context, "/*");
 * }</pre>
 *
 * Duplicates that wait hold no thread. What the application answers is held back until it is recorded, so that what was answered can be
 * answered again. The attempt is an attribute of the request, named {@code io.onefold.Attempt}.
 */
public final class IdempotencyFilter implements Filter {
    /** The caller that the container has authenticated. Without one, no key may be brought. */
    public static final Function<HttpServletRequest, @Nullable Caller> USER_PRINCIPAL =
            userPrincipal(new PrincipalCallerResolver(Map.of()));

    /** All are one: who knows a key gets its answer. */
    public static final Function<HttpServletRequest, @Nullable Caller> ANONYMOUS = request -> Caller.ANONYMOUS;

    /**
     * An attribute of the request by which the application says whether its handler has begun. If it is {@link Boolean#FALSE} when the
     * request ends, nothing was done, and the answer is not kept: whatever came before the handler, validation say, has given it.
     */
    public static final String BEGUN = "io.onefold.begun";

    /** An attribute of the request: its {@link ProtectedExchange}, for handlers that claim themselves and for those that tell what they threw. */
    public static final String EXCHANGE = "io.onefold.exchange";

    /**
     * An attribute of the request by which a framework says that it has answered in place of a handler that may still be at work. If it is
     * {@link Boolean#TRUE} when the request ends, the outcome is unknown, whatever was answered: a framework's own timeout, say, ends the
     * request and not the work.
     */
    public static final String UNFINISHED = "io.onefold.unfinished";

    /** An attribute of the request: the operation, if the request is only observed. */
    public static final String OBSERVED = "io.onefold.observed";

    /** An attribute of the request: there if it is covered, and yet was let pass on purpose, so that no handler is to claim it either. */
    public static final String UNCLAIMED = "io.onefold.unclaimed";

    private static final RequestPlan AGAIN = new RequestPlan.PassThrough(RequestPlan.PassReason.NOT_COVERED);

    /**
     * The identity of this filter, which is independent of its contract: requests in progress belong to one identity.
     */
    private final Object place;

    /** An attribute of the request, of this place's own: there may be others. */
    private final String passed;

    private final HttpContract contract;
    private final Function<HttpServletRequest, @Nullable Caller> callers;
    private final @Nullable String errorPage;
    private final OuterExceptions outer;

    /**
     * @param callers who asks; null for nobody, which is an error where a key is brought
     */
    public IdempotencyFilter(HttpContract contract, Function<HttpServletRequest, @Nullable Caller> callers) {
        this(new Object(), contract, callers, null, OuterExceptions.NONE);
    }

    private IdempotencyFilter(
            Object place,
            HttpContract contract,
            Function<HttpServletRequest, @Nullable Caller> callers,
            @Nullable String errorPage,
            OuterExceptions outer) {
        this.place = place;
        this.passed = "io.onefold.passed." + System.identityHashCode(place);
        this.contract = Objects.requireNonNull(contract, "contract");
        this.callers = Objects.requireNonNull(callers, "callers");
        this.errorPage = errorPage;
        this.outer = Objects.requireNonNull(outer, "outer");
    }

    /**
     * Renders errors of the application under this path, with the attributes of an error dispatch. A container renders its error pages
     * only after all filters, too late to be recorded; without this path, an error is answered as a problem.
     */
    public IdempotencyFilter errorPage(String path) {
        return new IdempotencyFilter(place, contract, callers, path, outer);
    }

    /** Lets these exceptions of the application pass to the filters before this one, which answer them; none unless told otherwise. */
    public IdempotencyFilter outerExceptions(OuterExceptions others) {
        return new IdempotencyFilter(place, contract, callers, errorPage, others);
    }

    /** Returns a filter with this contract that replaces this one. Requests that this one has begun stay with it. */
    public IdempotencyFilter contract(HttpContract other) {
        return new IdempotencyFilter(place, other, callers, errorPage, outer);
    }

    /**
     * Registers it as it has to be, behind all filters that are mapped already. Nothing tells a filter which dispatches it was mapped
     * for; one that misses asynchronous ones leaves requests that had to wait in doubt.
     *
     * @throws IllegalStateException if the context has a filter of the name {@code onefold} already
     */
    public FilterRegistration.Dynamic addTo(ServletContext context, String... patterns) {
        FilterRegistration.Dynamic registered = context.addFilter("onefold", this);
        if (registered == null) {
            throw new IllegalStateException("there is a filter called onefold already");
        }
        registered.setAsyncSupported(true);
        registered.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, patterns);
        return registered;
    }

    /** Does the same as {@link #USER_PRINCIPAL}, with aliases for the issuers of names. */
    public static Function<HttpServletRequest, @Nullable Caller> userPrincipal(PrincipalCallerResolver callers) {
        return request -> request.getUserPrincipal() == null ? null : callers.of(request.getUserPrincipal());
    }

    @Override
    public void doFilter(ServletRequest plainRequest, ServletResponse plainResponse, FilterChain chain)
            throws IOException, ServletException {
        if (!(plainRequest instanceof HttpServletRequest request)
                || !(plainResponse instanceof HttpServletResponse response)) {
            chain.doFilter(plainRequest, plainResponse);
            return;
        }
        if (request.getAttribute(ServletExchange.ATTRIBUTE) instanceof ServletExchange held) {
            if (held.isAt(place)) {
                held.again(request, response, chain);
            } else {
                chain.doFilter(request, response); // another one has it in hand, before or behind this one
            }
            return;
        }
        boolean observed = request.getAttribute(OBSERVED) != null;
        if (observed && request.getDispatcherType() != DispatcherType.REQUEST) {
            chain.doFilter(request, response);
            return;
        }
        ServletRequestHead head = new ServletRequestHead(request, callers);
        PassedRequest passing = new PassedRequest(place, head.path());
        RequestPlan plan = passing.equals(request.getAttribute(passed)) ? AGAIN : contract.plan(head);
        if (plan instanceof ProtectedExchange exchange) {
            protect(exchange, request, response, chain);
        } else if (plan instanceof ShadowExchange observation) {
            if (observed) {
                chain.doFilter(
                        request, response); // by a filter before this one: seen twice, it would be its own duplicate
            } else {
                new ShadowServletExchange(observation, request, response, outer).pass(chain);
            }
        } else if (plan instanceof RequestPlan.RespondNow answered) {
            ServletResponseSender.send(answered.answer(), response);
        } else {
            request.setAttribute(passed, passing);
            if (plan instanceof RequestPlan.PassThrough pass && pass.why() == RequestPlan.PassReason.STREAM) {
                request.setAttribute(UNCLAIMED, true);
            }
            PreflightHeaders preflight = contract.preflight(head);
            chain.doFilter(request, preflight == null ? response : new PreflightResponse(response, preflight));
        }
    }

    /**
     * The filter that has let a request pass, and the path under which it did. It is not asked again for each dispatch
     * under that path.
     */
    private record PassedRequest(Object by, String path) {}

    private void protect(
            ProtectedExchange exchange, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!request.isAsyncSupported()) {
            exchange.close();
            throw new ServletException("IdempotencyFilter, and all filters and the servlet around it, need asynchronous"
                    + " support: setAsyncSupported(true). Duplicates wait without a thread.");
        }
        OutgoingResponse refused = new ServletBodyReader(exchange, request).read();
        if (refused != null) {
            exchange.close();
            if (request.getProtocol().startsWith("HTTP/1")) {
                // what is left of the body is not worth reading; elsewhere a connection is not one request's, and
                // nobody may say so
                response.setHeader("Connection", "close");
            }
            ServletResponseSender.send(refused, response);
            return;
        }
        request.removeAttribute(OBSERVED); // a filter before this one may only look, but this one protects
        new ServletExchange(place, exchange, request, response, chain, errorPage, outer).begin();
    }
}
