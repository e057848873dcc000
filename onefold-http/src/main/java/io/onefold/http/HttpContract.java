package io.onefold.http;

import io.onefold.Onefold;
import io.onefold.OnefoldException;
import io.onefold.TokenStore;
import io.onefold.upkeep.Reconciler;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Defines which requests are protected and how; the same for every adapter. An adapter asks for a {@link RequestPlan}
 * before it reads the body of a request.
 *
 * <pre>{@code
 * HttpContract contract = HttpContract.builder(onefold)
 *         .route(Route.of("POST", "/orders").named("create-order").policy(HttpPolicy.unchanged().required(true)))
 *         .build();
 * }</pre>
 *
 * Responses take precedence in this order: a key that is not valid, nobody authenticated, a body that is not valid or
 * too large, a key that was used for something else, a request in progress, the earlier response.
 */
public final class HttpContract {
    private static final Logger LOG = LoggerFactory.getLogger(HttpContract.class);

    private final Onefold onefold;
    private final ReplayHeader marker;
    private final RouteTable routes;
    private final ResponseFactory speech;
    private final BuiltInEndpoints ownPaths;
    private final Path spoolDirectory;
    private final BodyMemoryLimit bodyMemory;
    private final RequestPlanner planning;
    private final @Nullable Function<RequestHead, CompletionStage<Boolean>> readers;
    private final HttpListener listener;
    private final Clock clock;

    private HttpContract(Builder builder) {
        this.onefold = builder.onefold;
        this.marker = builder.marker;
        this.routes = new RouteTable(builder.profile, builder.defaults, builder.routes, builder.handlers);
        marker.check(routes);
        ProblemFormat words = new ProblemFormat(builder.profile, builder.overloadedStatus);
        CorsHeaders cors = new CorsHeaders(builder.origins, builder.credentials, marker);
        this.speech = new ResponseFactory(
                builder.profile, marker, words, cors, routes, why -> tell(heard -> heard.refused(why)));
        this.ownPaths = new BuiltInEndpoints(
                onefold, routes, words, builder.tokens, Set.copyOf(builder.alsoIssued), builder.statusQueries);
        this.spoolDirectory = builder.spoolDirectory;
        this.bodyMemory = new BodyMemoryLimit(builder.memoryForBodies);
        this.readers = builder.readers;
        this.listener = builder.listener;
        this.clock = builder.clock;
        this.planning = new RequestPlanner(this, builder.profile, routes, ownPaths, builder.strict, clock);
    }

    public static Builder builder(Onefold onefold) {
        return new Builder(onefold);
    }

    /** Returns true if {@link #plan} asks the store about this request, and may have to wait for it. */
    public boolean asksStore(RequestHead head) {
        return ownPaths.answers(head);
    }

    /** Decides how to treat a request. */
    public RequestPlan plan(RequestHead head) {
        return planning.plan(head);
    }

    void observedRefusal(ProtectedOperation covered, Problem problem) {
        speech.observedRefusal(covered, problem);
    }

    OutgoingResponse withCors(OutgoingResponse answer, RequestHead head) {
        return speech.withCors(answer, head);
    }

    /**
     * Returns the changes to the response to this request, if it is a preflight for a request that may bring a key,
     * from an origin that {@link Builder#cors} allows; null for all others.
     */
    public @Nullable PreflightHeaders preflight(RequestHead head) {
        return speech.preflight(head);
    }

    /** Returns the response that an adapter sends in place of the service, in the format of the profile. */
    public OutgoingResponse answer(Problem problem) {
        return speech.answer(problem, null);
    }

    /** Returns a response of the adapter's own, for this request. */
    public OutgoingResponse answer(Problem problem, RequestHead head) {
        return speech.answer(problem, head);
    }

    /** Returns the response to a request whose handler called Onefold itself and got no result. */
    public OutgoingResponse answer(OnefoldException why, RequestHead head) {
        return speech.answer(why, head);
    }

    /** The header that marks replayed responses. */
    public String replayMarker() {
        return marker.name();
    }

    /** Returns true if only Onefold may set this header: neither clients nor the service may. */
    public boolean isOurs(String header) {
        return HeaderNames.isOurs(header) || marker.is(header);
    }

    /** The names of the operations whose requests are claimed before their handlers. */
    public List<String> operations() {
        return routes.operations().stream()
                .filter(covered -> !covered.late())
                .map(covered -> covered.operation().name())
                .toList();
    }

    /** The protection of these operations. */
    public List<OperationCoverage> coverage() {
        return routes.operations().stream()
                .filter(covered -> !covered.late())
                .map(OperationCoverage::of)
                .toList();
    }

    /** Returns true if requests like this are covered, by their keys or in shadow. */
    public boolean covers(String method, String path) {
        return routes.of(method, path) != null;
    }

    /**
     * Lets a reconciler ask what became of requests of this route whose responses were lost.
     *
     * @param scoped true if callers are distinguished: then two of them may have sent on the same key
     * @throws IllegalArgumentException if the probe could not know which request it is asked about
     */
    public void probe(Reconciler reconciler, Route route, boolean scoped, HttpOutcomeProbe probe) {
        ProbeVerdicts.start(this, routes, reconciler, route, scoped, probe);
    }

    /** @throws IllegalArgumentException if no route and no handler has the operation */
    ProtectedOperation covered(String operation) {
        ProtectedOperation covered = routes.named(operation);
        if (covered == null) {
            throw new IllegalArgumentException("the contract does not cover the operation " + operation);
        }
        return covered;
    }

    ResponseBuilder answers(
            ProtectedOperation covered, RequestHead head, @Nullable Caller caller, @Nullable String key) {
        return speech.answers(covered, head, caller, key, ownPaths);
    }

    /** Asks whether the client may read an earlier response. The future holds any failure; nothing is thrown. */
    CompletableFuture<Boolean> mayRead(RequestHead head) {
        if (readers == null) {
            return CompletableFuture.completedFuture(true);
        }
        try {
            return Objects.requireNonNull(readers.apply(head), "a stage")
                    .thenApply(may -> Objects.requireNonNull(may, "yes or no"))
                    .toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    Onefold onefold() {
        return onefold;
    }

    Path spoolDirectory() {
        return spoolDirectory;
    }

    BodyMemoryLimit bodyMemory() {
        return bodyMemory;
    }

    /** Returns the current time in seconds. */
    long now() {
        return clock.instant().getEpochSecond();
    }

    void tell(Consumer<HttpListener> what) {
        try {
            what.accept(listener);
        } catch (RuntimeException e) {
            LOG.warn("a listener has failed", e);
        }
    }

    /** The settings of a contract; each has a default. */
    public static final class Builder {
        private final Onefold onefold;
        private final List<Route> routes = new ArrayList<>();
        private final Map<String, HttpPolicy> handlers = new LinkedHashMap<>();
        private HttpProfile profile = HttpProfile.IETF;
        private HttpPolicy defaults = HttpPolicy.unchanged();
        private ReplayHeader marker = new ReplayHeader(ReplayHeader.USUAL);
        private int overloadedStatus = Problem.ProblemType.OVERLOADED.status();
        private Set<String> origins = Set.of();
        private boolean credentials;
        private boolean strict;
        private boolean statusQueries;
        private @Nullable TokenStore tokens;
        private final Set<String> alsoIssued = new TreeSet<>();
        private @Nullable Function<RequestHead, CompletionStage<Boolean>> readers;
        private Path spoolDirectory = Path.of(System.getProperty("java.io.tmpdir"));
        private long memoryForBodies = BodyMemoryLimit.standard();
        private HttpListener listener = new HttpListener() {};
        private Clock clock = Clock.systemUTC();

        private Builder(Onefold onefold) {
            this.onefold = onefold;
        }

        public Builder profile(HttpProfile profile) {
            this.profile = profile;
            return this;
        }

        /** Sets the policy for everything that a route does not set itself. */
        public Builder defaults(HttpPolicy policy) {
            this.defaults = policy;
            return this;
        }

        /** Sets the header that marks replayed responses; {@code Idempotent-Replayed} by default. */
        public Builder replayMarker(String header) {
            this.marker = new ReplayHeader(header);
            return this;
        }

        /** Sets the status of a response under overload: 503 or 429. */
        public Builder overloadedStatus(int status) {
            this.overloadedStatus = ProblemFormat.overloaded(status);
            return this;
        }

        /**
         * Adds a route. The first route that matches counts. Without any, or with passing ones only, all POST and PATCH
         * requests are covered.
         */
        public Builder route(Route route) {
            routes.add(route);
            return this;
        }

        /**
         * Covers an operation whose handler claims, and which no route has for itself: several handlers may share a
         * path. A route with {@link HttpPolicy#claimedByHandler} leads to it.
         */
        public Builder handler(String operation, HttpPolicy policy) {
            handlers.put(operation, policy);
            return this;
        }

        /**
         * Lets scripts of these origins read Onefold's own responses, and send keys wherever the service
         * lets them send anything.
         *
         * @param origins {@code *} for all, without credentials
         */
        public Builder cors(Set<String> origins, boolean credentials) {
            this.origins = Set.copyOf(origins);
            this.credentials = credentials;
            return this;
        }

        /** Sets whether a key on a request that is not covered is rejected with status 501, or ignored. */
        public Builder strict(boolean strict) {
            this.strict = strict;
            return this;
        }

        /** Lets callers ask what became of their requests, under {@code /.well-known/onefold}. */
        public Builder statusQueries(boolean on) {
            this.statusQueries = on;
            return this;
        }

        /** Issues tokens for this operation, too, although its transactional handler makes the claim itself. */
        public Builder tokensFor(String operation) {
            alsoIssued.add(operation);
            return this;
        }

        /** Issues tokens, under {@code /onefold/tokens/}; the same that the Onefold checks. */
        public Builder tokens(TokenStore tokens) {
            this.tokens = tokens;
            return this;
        }

        /** Sets the check before an earlier response is sent: the caller may have lost the right to it since. */
        public Builder readers(Function<RequestHead, CompletionStage<Boolean>> mayRead) {
            this.readers = mayRead;
            return this;
        }

        /** Sets the directory that holds large bodies while their requests last. */
        public Builder spoolDirectory(Path directory) {
            this.spoolDirectory = directory;
            return this;
        }

        /**
         * Limits the bytes of all protected bodies together in memory; a quarter of the heap by default. Beyond that, a
         * body goes to its file at once, even if {@link BodyRules#memory} would leave it in memory.
         */
        public Builder memoryForBodies(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("memoryForBodies must not be negative, as " + bytes + " is");
            }
            this.memoryForBodies = bytes;
            return this;
        }

        public Builder listener(HttpListener listener) {
            this.listener = listener;
            return this;
        }

        /** Sets the clock for dates that are shown or compared with those of clients; records use the store's. */
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        public HttpContract build() {
            HttpContract contract = new HttpContract(this);
            for (ProtectedOperation covered : contract.routes.operations()) {
                covered.check(tokens);
            }
            return contract;
        }
    }
}
