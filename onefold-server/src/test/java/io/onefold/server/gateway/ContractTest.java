package io.onefold.server.gateway;

import io.onefold.Onefold;
import io.onefold.http.contract.Business;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Setting;
import io.onefold.server.config.ConfigReader;
import io.onefold.server.config.GatewayConfig;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Rows H1 to H46, through the gateway. */
class ContractTest extends DoorContract {
    @Override
    protected DoorFixture fixture() {
        return new DoorFixture() {
            @Override
            public String name() {
                return "gateway";
            }

            @Override
            public Optional<String> notApplicable(String name) {
                return name.startsWith("S17 a value that begins another line")
                        ? Optional.of("a service that writes another line has written one")
                        : Optional.empty();
            }

            @Override
            public Door open(Setting setting, Business business) throws Exception {
                return ContractTest.open(setting, business);
            }
        };
    }

    private static Door open(Setting setting, Business business) throws Exception {
        Service service = Service.start().does(new BusinessService(business));
        GatewayConfig config = ConfigReader.read(null, Map.of("to", service.address(), "listen", "127.0.0.1:0"));
        Flights flights = new Flights();
        Listening listening = new Listening(
                setting.contract(Onefold.on(setting.store())),
                request -> setting.caller(
                        request.getHeaders().get(Setting.USER), request.getHeaders().get(Setting.TENANT)),
                new Origin(new Peers(config.who().proxies()), null),
                config.listen(),
                config.to(),
                config.limits(),
                flights,
                new Metrics(flights));
        listening.server().setHandler(new Security(listening.server().getHandler(), business));
        listening.start();
        return new Door() {
            @Override
            public int port() {
                return listening.port();
            }

            @Override
            public void close() throws Exception {
                listening.stop();
                service.close();
            }
        };
    }

    /** Refuses whom the business does not admit. */
    private static final class Security extends Handler.Wrapper {
        private final Business business;

        Security(Handler next, Business business) {
            super(next);
            this.business = business;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            if (business.admits(request.getHeaders().get(Setting.USER))) {
                return super.handle(request, response, callback);
            }
            Response.writeError(request, response, callback, 403);
            return true;
        }
    }
}
