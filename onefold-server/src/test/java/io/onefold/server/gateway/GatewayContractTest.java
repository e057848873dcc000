package io.onefold.server.gateway;

import com.sun.net.httpserver.HttpServer;
import io.onefold.Onefold;
import io.onefold.TokenStore;
import io.onefold.http.Caller;
import io.onefold.http.HttpContract;
import io.onefold.http.HttpPolicy;
import io.onefold.http.HttpProfile;
import io.onefold.http.RequestHead;
import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterRemarks;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import io.onefold.server.config.ConfigReader;
import io.onefold.server.config.GatewayConfig;
import io.onefold.server.config.GatewayConfig.ContractConfig;
import io.onefold.store.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/**
 * Each row of the contract through a gateway as it is started, before a service that is another process's for all that it can tell.
 * What a case chooses is written to the file that the gateway reads; only what no file can say is put in its place.
 */
class GatewayContractTest extends AdapterContract {

    @Override
    protected AdapterFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements AdapterFixture {
        @Override
        public String name() {
            return "gateway";
        }

        @Override
        public String told(String name) {
            return AdapterRemarks.inGateways(name);
        }

        @Override
        public RunningAdapter open(AdapterSetup setting, TestService business) throws Exception {
            Service service = Service.start().does(new BusinessService(business));
            HttpServer rights = rights(business);
            Map<String, String> options = Map.of(
                    "to",
                    service.address(),
                    "listen",
                    "127.0.0.1:0",
                    "principal",
                    "header:" + AdapterSetup.USER,
                    "trusted-proxies",
                    "127.0.0.1",
                    "authorize",
                    "http://127.0.0.1:" + rights.getAddress().getPort(),
                    "timeout",
                    "30s",
                    "drain",
                    "1s");
            Optional<String> yaml = AsYaml.of(setting);
            GatewayConfig config = read(yaml.orElse(""), options);
            Gateway gateway = Gateway.start(
                    yaml.isPresent() ? config : unruled(config),
                    OpenStore.given(setting.store(), tokens(setting)),
                    yaml.isPresent() ? builder -> unsaid(setting, builder) : setting::on,
                    callers(setting, options));
            return new Running(gateway, service, rights);
        }

        private static GatewayConfig read(String yaml, Map<String, String> options) throws IOException {
            Path file = Files.createTempFile("onefold-case", ".yaml");
            try {
                return ConfigReader.read(Files.writeString(file, yaml), options);
            } finally {
                Files.delete(file);
            }
        }

        /** What is not of the file, but of the case. */
        private static HttpContract.Builder unsaid(AdapterSetup setting, HttpContract.Builder builder) {
            HttpContract.Builder chosen = setting.choose(HttpContract.builder(Onefold.on(new MemoryStore())));
            builder.clock((Clock) Objects.requireNonNull(AsYaml.value(chosen, "clock")));
            @SuppressWarnings("unchecked")
            var readers = (Function<RequestHead, CompletionStage<Boolean>>) AsYaml.value(chosen, "readers");
            return readers == null ? builder : builder.readers(readers);
        }

        /**
         * Those of the configuration; null for them alone. Where a case lets callers be nobody, or of no tenant, the configuration is the
         * one that fits to what a request says.
         */
        private static @Nullable GatewayCallerResolver callers(AdapterSetup setting, Map<String, String> options)
                throws IOException {
            if (setting.caller(null, null) == null) {
                return null;
            }
            Map<String, String> more = new HashMap<>(options);
            more.put("tenant", "header:" + AdapterSetup.TENANT);
            GatewayCallerResolver plain = configured(read("", options));
            GatewayCallerResolver tenanted = configured(read("", more));
            return request -> {
                HttpFields headers = request.getHeaders();
                return headers.contains(AdapterSetup.USER)
                        ? (headers.contains(AdapterSetup.TENANT) ? tenanted : plain).of(request)
                        : Caller.ANONYMOUS;
            };
        }

        private static GatewayCallerResolver configured(GatewayConfig config) {
            return GatewayCallerResolver.of(
                    config.who(), new TrustedProxies(config.who().proxies()));
        }

        private static TokenStore tokens(AdapterSetup setting) {
            TokenStore tokens = setting.tokens();
            return tokens == null ? new NoTokens() : tokens;
        }

        /** With no rules but those of the case. */
        private static GatewayConfig unruled(GatewayConfig config) {
            ContractConfig none = new ContractConfig(
                    HttpProfile.IETF,
                    HttpPolicy.unchanged(),
                    List.of(),
                    Map.of(),
                    false,
                    false,
                    Set.of(),
                    false,
                    config.rules().replayMarker(),
                    config.rules().overloadedStatus(),
                    false,
                    Duration.ofMinutes(10),
                    null,
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
        private static HttpServer rights(TestService business) throws Exception {
            HttpServer rights = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            rights.createContext("/", exchange -> {
                boolean admitted = business.admits(exchange.getRequestHeaders().getFirst(AdapterSetup.USER));
                exchange.sendResponseHeaders(admitted ? 204 : 403, -1);
                exchange.close();
            });
            rights.start();
            return rights;
        }
    }

    /** For cases that take none. */
    private static final class NoTokens implements TokenStore {
        @Override
        public String issue(String operation, String user) {
            throw new IllegalStateException("none are issued");
        }

        @Override
        public TokenCheck check(String token, String operation, String user) {
            throw new IllegalStateException("none are issued");
        }

        @Override
        public void remove(String token) {}

        @Override
        public Duration life() {
            return Duration.ofMinutes(10);
        }
    }

    private record Running(Gateway gateway, Service service, HttpServer rights) implements RunningAdapter {
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
