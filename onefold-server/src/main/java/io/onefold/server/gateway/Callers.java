package io.onefold.server.gateway;

import com.nimbusds.jwt.JWTClaimsSet;
import io.onefold.http.Caller;
import io.onefold.server.config.ConfigException;
import io.onefold.server.config.GatewayConfig.Jwt;
import io.onefold.server.config.GatewayConfig.Who;
import io.onefold.server.config.PrincipalRule;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Finds out who asks. */
@FunctionalInterface
interface Callers {
    /** Whether somebody far away has to be asked first, so that {@link #of} may take long. */
    default boolean waits(Request request) {
        return false;
    }

    /** Null if it is not known, though it must be. */
    @Nullable
    Caller of(Request request);

    static Callers anonymous() {
        return request -> Caller.ANONYMOUS;
    }

    /** As it is configured. */
    static Callers of(Who who, Peers peers) {
        if (who.principal().kind() == PrincipalRule.Kind.ANONYMOUS && who.tenant() == null) {
            return anonymous();
        }
        Jwt jwt = who.jwt();
        return new Configured(
                who, peers, jwt == null ? null : new Jwts(keys(jwt), who.claims(), jwt.issuer(), jwt.audience()));
    }

    private static Keys keys(Jwt jwt) {
        try {
            return Keys.at(jwt.keys());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(jwt.where() + ": " + e.getMessage());
        }
    }

    /**
     * Principal and tenant, each from where it is said to be.
     *
     * @param jwts null if neither is in a token
     */
    record Configured(Who who, Peers peers, @Nullable Jwts jwts) implements Callers {

        @Override
        public boolean waits(Request request) {
            if (jwts == null) {
                return false;
            }
            String token = bearer(request);
            return token != null && jwts.waits(token);
        }

        @Override
        public @Nullable Caller of(Request request) {
            JWTClaimsSet said = believed(request);
            PrincipalRule tenant = who.tenant();
            String principal = value(who.principal(), request, said);
            String ofTenant = tenant == null ? null : value(tenant, request, said);
            boolean named = principal != null || who.principal().kind() == PrincipalRule.Kind.ANONYMOUS;
            return named && (ofTenant != null || tenant == null) ? new Caller(ofTenant, principal, issuer(said)) : null;
        }

        /** Two issuers may have users of one name; null where no token says who asks. */
        private @Nullable String issuer(@Nullable JWTClaimsSet said) {
            Jwt jwt = who.jwt();
            if (jwt == null || said == null || who.principal().kind() != PrincipalRule.Kind.JWT) {
                return null;
            }
            return jwt.alias() == null ? said.getIssuer() : jwt.alias();
        }

        private @Nullable JWTClaimsSet believed(Request request) {
            if (jwts == null) {
                return null;
            }
            String token = bearer(request);
            return token == null ? null : jwts.believed(token);
        }

        private @Nullable String value(PrincipalRule rule, Request request, @Nullable JWTClaimsSet said) {
            return switch (rule.kind()) {
                case ANONYMOUS -> null;
                case HEADER -> header(rule.name(), request);
                case JWT -> said == null ? null : Jwts.text(said, rule.name());
            };
        }

        /** What a proxy in front says; from anybody else, the header means nothing. */
        private @Nullable String header(String name, Request request) {
            if (!peers.trusted(request)) {
                return null;
            }
            // two lines: somebody has added one
            var lines = request.getHeaders().getFields(name);
            String value = lines.size() == 1 ? lines.get(0).getValue() : null;
            return value == null || value.isBlank() ? null : value.strip();
        }

        private static @Nullable String bearer(Request request) {
            var lines = request.getHeaders().getFields("Authorization");
            String value = lines.size() == 1 ? lines.get(0).getValue() : null;
            return value == null || !value.regionMatches(true, 0, "Bearer ", 0, 7)
                    ? null
                    : value.substring(7).strip();
        }
    }
}
