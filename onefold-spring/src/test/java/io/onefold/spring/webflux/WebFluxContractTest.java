package io.onefold.spring.webflux;

import io.onefold.Onefold;
import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterRemarks;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import io.onefold.http.contract.TestServiceWebHandler;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** Each row of the contract through the filter, on reactor-netty. */
class WebFluxContractTest extends AdapterContract {

    @Override
    protected AdapterFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements AdapterFixture {
        @Override
        public String name() {
            return "filter in WebFlux";
        }

        @Override
        public Optional<String> notApplicable(String name) {
            return AdapterRemarks.notInWebFlux(name);
        }

        @Override
        public RunningAdapter open(AdapterSetup setting, TestService business) {
            return start(setting, business, filter -> new WebFilter[] {security(business), filter});
        }
    }

    /** @param filters what stands before the business, with the idempotency filter among it */
    static RunningAdapter start(AdapterSetup setting, TestService business, Function<WebFilter, WebFilter[]> filters) {
        IdempotencyWebFilter filter = new IdempotencyWebFilter(
                setting.contract(Onefold.on(setting.store())),
                exchange -> Mono.justOrEmpty(setting.caller(
                        exchange.getRequest().getHeaders().getFirst(AdapterSetup.USER),
                        exchange.getRequest().getHeaders().getFirst(AdapterSetup.TENANT))));
        return new Running(NettyServer.start(new TestServiceWebHandler(business), filters.apply(filter)));
    }

    /** What an application has before its doors: whoever may not ask gets no further. */
    static WebFilter security(TestService business) {
        return (exchange, chain) -> {
            if (business.admits(exchange.getRequest().getHeaders().getFirst(AdapterSetup.USER))) {
                return chain.filter(exchange);
            }
            exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
            return exchange.getResponse().setComplete();
        };
    }

    private record Running(NettyServer server) implements RunningAdapter {
        @Override
        public int port() {
            return server.port();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
