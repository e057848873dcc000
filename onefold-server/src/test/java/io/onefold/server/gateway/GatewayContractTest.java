package io.onefold.server.gateway;

import io.onefold.Onefold;
import io.onefold.http.HttpContract;
import io.onefold.http.contract.Business;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Setting;
import io.onefold.server.config.Address;
import io.onefold.server.config.GatewayConfig.Limits;
import io.onefold.server.config.Networks;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Each row of the contract through the gateway's own handlers and connector. */
class GatewayContractTest extends DoorContract {
    private static final Limits LIMITS = new Limits(
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(5),
            8192,
            1000,
            100);

    @Override
    protected DoorFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements DoorFixture {
        @Override
        public String name() {
            return "gateway";
        }

        @Override
        public Door open(Setting setting, Business business) throws Exception {
            Server service = new Server();
            ServerConnector there = new ServerConnector(service, 1, 1);
            there.setHost("127.0.0.1");
            service.addConnector(there);
            service.setHandler(new BusinessHandler(business));
            service.start();

            Flights flights = new Flights();
            Metrics metrics = new Metrics(flights);
            Onefold onefold = Onefold.builder(setting.store()).listener(metrics).build();
            HttpContract contract = setting.contract(onefold);
            Replies replies = new Replies(contract, flights);
            Origin origin = new Origin(new Peers(Networks.of(List.of())), null);
            URI to = URI.create("http://127.0.0.1:" + there.getLocalPort());
            Callers callers = request -> setting.caller(
                    request.getHeaders().get(Setting.USER), request.getHeaders().get(Setting.TENANT));
            Server server = new Server();
            ServerConnector here = Gateway.connector(server, new Address("127.0.0.1", 0), LIMITS);
            server.setHandler(new Admission(
                    business,
                    new GatewayHandler(
                            contract,
                            callers,
                            new Upstream(to, LIMITS, origin, replies),
                            replies,
                            flights,
                            metrics,
                            Runnable::run,
                            Runnable::run,
                            LIMITS.receive())));
            server.start();
            return new Running(server, here, service);
        }
    }

    /** What stands before a gateway: whoever may not ask gets no further. */
    private static final class Admission extends Handler.Wrapper {
        private final Business business;

        Admission(Business business, Handler gateway) {
            super(gateway);
            this.business = business;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            if (business.admits(request.getHeaders().get(Setting.USER))) {
                return super.handle(request, response, callback);
            }
            response.setStatus(403);
            callback.succeeded();
            return true;
        }
    }

    private record Running(Server server, ServerConnector connector, Server service) implements Door {
        @Override
        public int port() {
            return connector.getLocalPort();
        }

        @Override
        public void close() throws Exception {
            server.stop();
            service.stop();
        }
    }
}
