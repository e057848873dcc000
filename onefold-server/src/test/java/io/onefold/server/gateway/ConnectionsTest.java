package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    private final AtomicLong now = new AtomicLong();
    private final Server service = new Server();
    private final HttpClient client = new HttpClient();
    private int port;

    @BeforeEach
    void start() throws Exception {
        ServerConnector connector = new ServerConnector(service, 1, 1);
        connector.setHost("127.0.0.1");
        service.addConnector(connector);
        service.setHandler(new TellsWhereFrom());
        service.start();
        port = connector.getLocalPort();
        client.getHttpClientTransport()
                .setConnectionPoolFactory(destination -> new UpstreamConnections(destination, now::get));
        client.start();
    }

    @AfterEach
    void stop() throws Exception {
        client.stop();
        service.stop();
    }

    @Test
    void a_connection_is_used_again_while_it_is_fresh() throws Exception {
        String first = ask();
        for (int time = 0; time < 5; time++) {
            now.addAndGet(Duration.ofMillis(900).toNanos());
            assertThat(ask()).isEqualTo(first);
        }
    }

    @Test
    void one_that_nobody_has_used_for_a_while_is_closed_and_another_is_opened() throws Exception {
        String first = ask();
        now.addAndGet(Duration.ofMillis(1_100).toNanos());
        assertThat(ask()).isNotEqualTo(first);
    }

    /** The port that the service sees it come from. */
    private String ask() throws Exception {
        return client.GET("http://127.0.0.1:" + port).getHeaders().get("From-Port");
    }

    private static final class TellsWhereFrom extends Handler.Abstract.NonBlocking {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            HttpFields.Mutable headers = response.getHeaders();
            headers.put("From-Port", Request.getRemotePort(request));
            callback.succeeded();
            return true;
        }
    }
}
