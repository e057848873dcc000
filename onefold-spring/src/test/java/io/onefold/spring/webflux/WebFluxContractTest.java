package io.onefold.spring.webflux;

import io.onefold.Onefold;
import io.onefold.http.contract.Business;
import io.onefold.http.contract.BusinessWebHandler;
import io.onefold.http.contract.Door;
import io.onefold.http.contract.DoorContract;
import io.onefold.http.contract.DoorFixture;
import io.onefold.http.contract.Remarks;
import io.onefold.http.contract.Setting;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** Each row of the contract through the filter, on reactor-netty. */
class WebFluxContractTest extends DoorContract {

    @Override
    protected DoorFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements DoorFixture {
        @Override
        public String name() {
            return "filter in WebFlux";
        }

        @Override
        public Optional<String> notApplicable(String name) {
            return Remarks.notInWebFlux(name);
        }

        @Override
        public Door open(Setting setting, Business business) {
            return start(setting, business, filter -> new WebFilter[] {security(business), filter});
        }
    }

    /** @param filters what stands before the business, with the idempotency filter among it */
    static Door start(Setting setting, Business business, Function<WebFilter, WebFilter[]> filters) {
        IdempotencyWebFilter filter = new IdempotencyWebFilter(
                setting.contract(Onefold.on(setting.store())),
                exchange -> Mono.justOrEmpty(setting.caller(
                        exchange.getRequest().getHeaders().getFirst(Setting.USER),
                        exchange.getRequest().getHeaders().getFirst(Setting.TENANT))));
        return new Running(NettyServer.start(new BusinessWebHandler(business), filters.apply(filter)));
    }

    /** What an application has before its doors: whoever may not ask gets no further. */
    static WebFilter security(Business business) {
        return (exchange, chain) -> {
            if (business.admits(exchange.getRequest().getHeaders().getFirst(Setting.USER))) {
                return chain.filter(exchange);
            }
            exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
            return exchange.getResponse().setComplete();
        };
    }

    private record Running(NettyServer server) implements Door {
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
