package io.onefold.server.gateway;

import com.sun.net.httpserver.HttpServer;
import io.onefold.Tokens;
import io.onefold.http.Policy;
import io.onefold.http.Profile;
import io.onefold.http.contract.Business;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Remarks;
import io.onefold.http.contract.Setting;
import io.onefold.server.config.ConfigReader;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.config.GatewayConfig.Rules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Each row of the contract through a gateway as it is started, before a service that is another process's for all that it can tell.
 * Only what no configuration can say is put in its place: the policies of a case, and tenants.
 */
class GatewayContractTest extends DoorContract {

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
        public String told(String name) {
            return Remarks.inGateways(name);
        }

        @Override
        public Door open(Setting setting, Business business) throws Exception {
            Service service = Service.start().does(new BusinessService(business));
            HttpServer rights = rights(business);
            GatewayConfig config = ConfigReader.read(
                    null,
                    Map.of(
                            "to",
                            service.address(),
                            "listen",
                            "127.0.0.1:0",
                            "principal",
                            "header:" + Setting.USER,
                            "trusted-proxies",
                            "127.0.0.1",
                            "authorize",
                            "http://127.0.0.1:" + rights.getAddress().getPort(),
                            "timeout",
                            "30s",
                            "drain",
                            "1s"));
            Callers callers = request -> setting.caller(
                    request.getHeaders().get(Setting.USER), request.getHeaders().get(Setting.TENANT));
            Gateway gateway = Gateway.start(
                    ruled(config), OpenStore.given(setting.store(), tokens(setting)), setting::on, callers);
            return new Running(gateway, service, rights);
        }

        private static Tokens tokens(Setting setting) {
            Tokens tokens = setting.tokens();
            return tokens == null ? new NoTokens() : tokens;
        }

        /** With no rules but those of the case. */
        private static GatewayConfig ruled(GatewayConfig config) {
            Rules none = new Rules(
                    Profile.IETF,
                    Policy.unchanged(),
                    List.of(),
                    Map.of(),
                    false,
                    false,
                    Set.of(),
                    false,
                    false,
                    Duration.ofMinutes(10),
                    null);
            return new GatewayConfig(
                    config.listen(),
                    config.admin(),
                    config.to(),
                    config.store(),
                    config.secrets(),
                    config.who(),
                    config.limits(),
                    none,
                    config.places());
        }

        /** What {@code authorize} asks: whoever has lost the right to ask gets nothing. */
        private static HttpServer rights(Business business) throws Exception {
            HttpServer rights = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            rights.createContext("/", exchange -> {
                boolean admitted = business.admits(exchange.getRequestHeaders().getFirst(Setting.USER));
                exchange.sendResponseHeaders(admitted ? 204 : 403, -1);
                exchange.close();
            });
            rights.start();
            return rights;
        }
    }

    /** For cases that take none. */
    private static final class NoTokens implements Tokens {
        @Override
        public String issue(String operation, String user) {
            throw new IllegalStateException("none are issued");
        }

        @Override
        public Check check(String token, String operation, String user) {
            throw new IllegalStateException("none are issued");
        }

        @Override
        public void remove(String token) {}

        @Override
        public Duration life() {
            return Duration.ofMinutes(10);
        }
    }

    private record Running(Gateway gateway, Service service, HttpServer rights) implements Door {
        @Override
        public int port() {
            return gateway.port();
        }

        @Override
        public void close() {
            service.close();
            gateway.close();
            rights.stop(0);
        }
    }
}
