package io.onefold.http.doors;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.http.HandlerClaim;
import io.onefold.http.ProtectedExchange;
import io.onefold.http.contract.AdapterContract;
import io.onefold.http.contract.AdapterFixture;
import io.onefold.http.contract.AdapterRemarks;
import io.onefold.http.contract.AdapterSetup;
import io.onefold.http.contract.RunningAdapter;
import io.onefold.http.contract.TestService;
import io.onefold.http.servlet.IdempotencyFilter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/** Each row where the handler claims, and not the filter before it: clients must not see a difference. */
class LateClaimContractTest extends AdapterContract {
    @Override
    protected AdapterFixture fixture() {
        return new Fixture();
    }

    private static final class Fixture implements AdapterFixture {
        @Override
        public String name() {
            return "handler in Tomcat";
        }

        @Override
        public Optional<String> notApplicable(String name) {
            return AdapterRemarks.notInServlets(name);
        }

        @Override
        public String told(String name) {
            return AdapterRemarks.inTomcat(name);
        }

        @Override
        public RunningAdapter open(AdapterSetup setting, TestService business) throws Exception {
            return TomcatTest.start(context -> {
                Onefold onefold = Onefold.on(setting.store());
                ServletDoor.add(context, "security", new Security(business));
                ServletDoor.filter(setting.claimedByHandler(), onefold).addTo(context, "/*");
                ServletDoor.add(context, "claim", new Claiming());
                ServletDoor.add(context, business);
            });
        }
    }

    /** The beginning of every handler: it claims under the key of its request. */
    private static final class Claiming extends HttpFilter {
        private static final long serialVersionUID = 1;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            ProtectedExchange exchange = (ProtectedExchange) request.getAttribute(IdempotencyFilter.EXCHANGE);
            HandlerClaim claim = exchange == null ? null : exchange.lateClaim();
            Key key = exchange == null ? null : exchange.requestKey();
            if (claim != null && key != null && !claim.claim(key).granted()) {
                throw new HandlerClaim.ClaimNotGrantedException();
            }
            chain.doFilter(request, response);
        }
    }
}
