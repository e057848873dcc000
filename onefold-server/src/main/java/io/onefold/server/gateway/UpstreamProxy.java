package io.onefold.server.gateway;

import io.onefold.server.config.GatewayConfig.LimitConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamRequestContent;
import org.eclipse.jetty.client.ProcessingProtocolHandler;
import org.eclipse.jetty.client.Response.CompleteListener;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/**
 * The service behind the gateway. The target of requests is fixed: nothing in a request chooses it. A claimed request is
 * sent from its spooled body, and its response is held until it is recorded; any other request is passed on as it
 * arrives.
 */
final class UpstreamProxy extends ProxyHandler.Reverse {
    /** A body up to this size is sent in one piece with its head; a longer one as it is read. */
    private static final int ONE_PIECE = 1 << 14;

    private final URI to;
    private final String prefix;
    private final LimitConfig limits;
    private final ForwardedHeaders origin;
    private final GatewayResponseSender replies;

    UpstreamProxy(URI to, LimitConfig limits, ForwardedHeaders origin, GatewayResponseSender replies) {
        super(Request::getHttpURI);
        this.to = authority(to);
        this.prefix = prefix(to);
        this.limits = limits;
        this.origin = origin;
        this.replies = replies;
        setProxyToServerHost(to.getRawAuthority());
        setViaHost("onefold");
        setUseServerThreadPool(true);
    }

    /** Returns the address with its port, and without a path. */
    private static URI authority(URI to) {
        int port = to.getPort() > 0 ? to.getPort() : "https".equals(to.getScheme()) ? 443 : 80;
        return URI.create(to.getScheme() + "://" + to.getHost() + ":" + port);
    }

    /** Returns the prefix of all paths. */
    private static String prefix(URI to) {
        String base = to.getRawPath() == null ? "" : to.getRawPath();
        return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    }

    @Override
    protected void configureHttpClient(HttpClient client) {
        super.configureHttpClient(client);
        answersOnSelectors(client);
        client.setScheduler(getServer().getScheduler());
        client.setConnectTimeout(limits.connect().toMillis());
        // how long the service may be silent; since it never changes, no request needs a timer of its own
        client.setIdleTimeout(limits.timeout().toMillis());
        client.getHttpClientTransport()
                .setConnectionPoolFactory(service -> new UpstreamConnections(service, System::nanoTime));
        client.setMaxConnectionsPerDestination(limits.upstreamConnections());
        client.setMaxRequestsQueuedPerDestination(4 * limits.upstreamConnections());
        // every head that came in must fit, with the added headers
        client.setMaxRequestHeadersSize(2 * limits.headerBytes());
        client.setMaxResponseHeadersSize(4 * limits.headerBytes());
        client.setUserAgentField(null);
        client.setDefaultRequestContentType(null);
    }

    /**
     * Lets the thread that finds a response also process it, instead of waking another thread: processing a response
     * never blocks.
     */
    private static void answersOnSelectors(HttpClient client) {
        client.getHttpClientTransport().setInvocationType(InvocationType.NON_BLOCKING);
        client.getContainedBeans(ClientConnector.class)
                .forEach(connector -> connector.setSelectors(GatewayThreads.selectors()));
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        // starting the client has replaced the earlier handlers
        getHttpClient().getProtocolHandlers().put(new InterimResponses());
    }

    /**
     * Handles a request. A client that waits for "100 Continue" gets it when its body is read. The service is not asked:
     * one that does not know "100 Continue" would let both wait.
     */
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        return super.handle(
                request.getHeaders().contains(HttpHeader.EXPECT) ? new NoContinueRequest(request) : request,
                response,
                callback);
    }

    private static final class NoContinueRequest extends Request.Wrapper {
        private final HttpFields headers;

        NoContinueRequest(Request request) {
            super(request);
            this.headers = HttpFields.build(request.getHeaders())
                    .remove(HttpHeader.EXPECT)
                    .asImmutable();
        }

        @Override
        public HttpFields getHeaders() {
            return headers;
        }
    }

    @Override
    protected org.eclipse.jetty.client.Request newProxyToServerRequest(Request request, HttpURI uri) {
        return getHttpClient().newRequest(to).method(request.getMethod()).path(prefix + uri.getPathQuery());
    }

    @Override
    protected void copyRequestHeaders(Request request, org.eclipse.jetty.client.Request sent) {
        super.copyRequestHeaders(request, sent);
        sent.headers(headers -> origin.clean(request, headers));
        if (request instanceof ProtectedUpstreamRequest claimed) {
            sent.headers(claimed::tellKey);
        }
    }

    @Override
    protected void addForwardedHeader(Request request, org.eclipse.jetty.client.Request sent) {
        sent.headers(headers -> origin.add(request, headers));
    }

    @Override
    protected org.eclipse.jetty.client.Request.Content newProxyToServerRequestContent(
            Request request, Response response, org.eclipse.jetty.client.Request sent) {
        if (request instanceof ProtectedUpstreamRequest claimed) {
            try {
                return claimed.body().length() > ONE_PIECE
                        ? new SpooledContent(claimed)
                        : new BytesRequestContent((String) null, claimed.body().bytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new PassedBody(request, sent, new BodyRateCheck(limits.receive(), limits.bodyRate(), System::nanoTime));
    }

    /** A body that is passed on as it arrives. A failure of the body is noted, because it is not the service's fault. */
    private static final class PassedBody extends ProxyRequestContent {
        private static final String BROKEN = PassedBody.class.getName();

        private final org.eclipse.jetty.client.Request sent;
        private final BodyRateCheck pace;

        PassedBody(Request request, org.eclipse.jetty.client.Request sent, BodyRateCheck pace) {
            super(request);
            this.sent = sent;
            this.pace = pace;
        }

        @Override
        public void demand(Runnable whenThere) {
            pace.waits();
            super.demand(whenThere);
        }

        @Override
        public Content.Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk != null && !chunk.isLast() && pace.isTooSlow(chunk.remaining())) {
                chunk.release();
                chunk = Content.Chunk.from(new TimeoutException("the body comes too slowly"));
                fail(chunk.getFailure());
            }
            if (Content.Chunk.isFailure(chunk)) {
                sent.attribute(BROKEN, chunk.getFailure());
            }
            return chunk;
        }

        /** Returns the body's failure; null if it ended, or has not failed so far. */
        static @Nullable Throwable broken(org.eclipse.jetty.client.Request sent) {
            return (Throwable) sent.getAttributes().get(BROKEN);
        }
    }

    /** Ignores unknown interim responses: the real one follows. */
    private static final class InterimResponses extends ProcessingProtocolHandler {
        @Override
        public String getName() {
            return "interim";
        }

        @Override
        public boolean accept(org.eclipse.jetty.client.Request sent, org.eclipse.jetty.client.Response answer) {
            return answer.getStatus() > 103 && answer.getStatus() < 200;
        }
    }

    /** A spooled body, whose length is known and can be sent. */
    private static final class SpooledContent extends InputStreamRequestContent {
        private final long length;

        SpooledContent(ProtectedUpstreamRequest request) throws IOException {
            super(null, request.body().open(), null);
            this.length = request.body().length();
        }

        @Override
        public long getLength() {
            return length;
        }
    }

    @Override
    protected CompleteListener newServerToProxyResponseListener(
            Request request, org.eclipse.jetty.client.Request sent, Response response, Callback callback) {
        if (request instanceof ProtectedUpstreamRequest claimed) {
            return new ResponseCapture(
                    claimed, response, SendProgress.of(sent, claimed::stale), replies, limits.timeout());
        }
        SendProgress.of(sent);
        return new PassingResponseListener(request, sent, response, callback);
    }

    /** Passes a response on like Jetty, except for the headers. */
    private final class PassingResponseListener extends ProxyResponseListener {
        private final Request request;
        private final Response response;

        PassingResponseListener(
                Request request, org.eclipse.jetty.client.Request sent, Response response, Callback callback) {
            super(request, sent, response, callback);
            this.request = request;
            this.response = response;
        }

        @Override
        public void onHeaders(org.eclipse.jetty.client.Response answer) {
            ForwardableHeaders.copy(replies.passed(request, answer.getHeaders()), response.getHeaders());
            replies.passOn(response);
        }
    }

    @Override
    protected void onServerToProxyResponseFailure(
            Request request,
            org.eclipse.jetty.client.Request sent,
            org.eclipse.jetty.client.Response answer,
            Response response,
            Callback callback,
            Throwable failure) {
        if (response.isCommitted()) {
            // the client must see that the response is cut
            callback.failed(failure);
            return;
        }
        response.reset();
        Throwable broken = PassedBody.broken(sent);
        if (broken != null) {
            // the end of the body, and the beginning of the next request, can no longer be found
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
            replies.problem(UpstreamFailure.ofBody(broken), request, response, callback);
            return;
        }
        boolean begun = SendProgress.of(sent).begun();
        replies.problem(
                begun ? UpstreamFailure.silent(failure) : UpstreamFailure.unreachable(failure),
                request,
                response,
                callback);
    }

    @Override
    protected void onServerToProxyResponse102Processing(
            Request request, org.eclipse.jetty.client.Request sent, HttpFields headers, Response response) {
        if (!(request instanceof ProtectedUpstreamRequest)) {
            super.onServerToProxyResponse102Processing(request, sent, headers, response);
        }
    }

    @Override
    protected void onServerToProxyResponse103EarlyHints(
            Request request, org.eclipse.jetty.client.Request sent, HttpFields headers, Response response) {
        if (!(request instanceof ProtectedUpstreamRequest)) {
            super.onServerToProxyResponse103EarlyHints(request, sent, headers, response);
        }
    }
}
