package io.onefold.benchmarks.http;

import io.onefold.server.config.GatewayConfig.LimitConfig;
import java.net.URI;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The proxy that the gateway is made of, set up as the gateway sets it up, without Onefold. */
final class PlainProxy extends ProxyHandler.Reverse {
    private static final long POOLED_MILLIS = 2_000;

    private final LimitConfig limits;
    private final InvocationType answers;

    private PlainProxy(URI to, LimitConfig limits, InvocationType answers) {
        super(request -> HttpURI.build(request.getHttpURI())
                .scheme(to.getScheme())
                .host(to.getHost())
                .port(to.getPort()));
        this.limits = limits;
        this.answers = answers;
        setProxyToServerHost(to.getRawAuthority());
        setViaHost("onefold");
        setUseServerThreadPool(true);
    }

    /**
     * @param answers whether a thread is woken for each answer of the service, as Jetty has it, or the selector takes it, as the gateway has it
     */
    static Server start(URI to, LimitConfig limits, InvocationType answers) throws Exception {
        Server server = new Server(new QueuedThreadPool(8 + Runtime.getRuntime().availableProcessors(), 4));
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(limits.headerBytes());
        http.setResponseHeaderSize(4 * limits.headerBytes());
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(limits.idle().toMillis());
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(limits.connections(), connector));
        server.setHandler(new PlainProxy(to, limits, answers));
        server.start();
        return server;
    }

    @Override
    protected void configureHttpClient(HttpClient client) {
        super.configureHttpClient(client);
        client.getHttpClientTransport().setInvocationType(answers);
        client.setScheduler(getServer().getScheduler());
        client.setConnectTimeout(limits.connect().toMillis());
        client.setIdleTimeout(POOLED_MILLIS);
        client.setMaxConnectionsPerDestination(limits.upstreamConnections());
        client.setMaxRequestsQueuedPerDestination(4 * limits.upstreamConnections());
        client.setMaxRequestHeadersSize(2 * limits.headerBytes());
        client.setMaxResponseHeadersSize(4 * limits.headerBytes());
        client.setUserAgentField(null);
        client.setDefaultRequestContentType(null);
    }
}
