package io.onefold.spring.webflux;

import io.onefold.Key;
import io.onefold.http.HandlerClaim;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterRemarks;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import java.util.Optional;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Each row on reactor-netty where the handler claims, and not the filter before it: clients must not see a difference. */
class LateWebFluxContractTest extends AdapterContract {
    @Override
    protected AdapterFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements AdapterFixture {
        @Override
        public String name() {
            return "handler in WebFlux";
        }

        @Override
        public Optional<String> notApplicable(String name) {
            return AdapterRemarks.notInWebFlux(name);
        }

        @Override
        public RunningAdapter open(AdapterSetup setting, TestService business) {
            return WebFluxContractTest.start(setting.claimedByHandler(), business, filter ->
                    new WebFilter[] {WebFluxContractTest.security(business), filter, LateWebFluxContractTest::claim});
        }
    }

    /** The beginning of every handler: it claims under the key of its request. */
    private static Mono<Void> claim(ServerWebExchange web, WebFilterChain chain) {
        ProtectedExchange exchange = web.getAttribute(WebFluxHandlerRequest.EXCHANGE);
        HandlerClaim claim = exchange == null ? null : exchange.lateClaim();
        Key key = exchange == null ? null : exchange.requestKey();
        if (claim == null || key == null) {
            return chain.filter(web);
        }
        return Mono.fromFuture(claim.claimAsync(key), true)
                .flatMap(permission -> permission.granted() && claim.begins()
                        ? chain.filter(web)
                        : Mono.error(new HandlerClaim.ClaimNotGrantedException()));
    }
}
