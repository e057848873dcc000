package io.onefold.server.gateway;

import io.onefold.http.HttpContract;
import io.onefold.server.config.Address;
import io.onefold.server.config.GatewayConfig.Limits;
import java.net.URI;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The server that clients talk to, with the service behind it. */
final class Listening {
    private final Server server = new Server(new QueuedThreadPool(200, 8));
    private final ServerConnector connector;

    Listening(
            HttpContract contract,
            Callers callers,
            Origin origin,
            Address listen,
            URI to,
            Limits limits,
            Flights flights,
            Metrics metrics) {
        Replies replies = new Replies(contract, flights);
        Upstream upstream = new Upstream(to, limits, origin, replies);
        this.connector = connector(server, listen, limits);
        server.setHandler(
                new GatewayHandler(contract, callers, upstream, replies, flights, metrics, limits.receive()));
    }

    private static ServerConnector connector(Server server, Address listen, Limits limits) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        // what the service says is passed on; where the gateway answers itself, it adds its own
        http.setSendDateHeader(false);
        http.setRequestHeaderSize(limits.headerBytes());
        http.setResponseHeaderSize(4 * limits.headerBytes());
        // services that have a slash or a percent sign in the name of a thing get to see it as it was sent
        http.setUriCompliance(UriCompliance.DEFAULT.with(
                "ONEFOLD", Violation.AMBIGUOUS_PATH_SEPARATOR, Violation.AMBIGUOUS_PATH_ENCODING));
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(listen.host());
        connector.setPort(listen.port());
        connector.setIdleTimeout(limits.idle().toMillis());
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(limits.connections(), connector));
        return connector;
    }

    /** For what stands even before the gateway. */
    Server server() {
        return server;
    }

    void start() throws Exception {
        server.start();
    }

    int port() {
        return connector.getLocalPort();
    }

    /** Connections that are open stay so. */
    void stopAccepting() {
        connector.close();
    }

    void stop() throws Exception {
        server.stop();
    }
}
