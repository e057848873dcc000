package io.onefold.server.gateway;

import com.nimbusds.jwt.JWTClaimsSet;
import io.onefold.http.Caller;
import io.onefold.server.config.ConfigException;
import io.onefold.server.config.GatewayConfig.CallerConfig;
import io.onefold.server.config.GatewayConfig.JwtConfig;
import io.onefold.server.config.PrincipalRule;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Identifies the caller of a request. */
@FunctionalInterface
interface GatewayCallerResolver {
    /** Returns true if a remote party must be asked first, so that {@link #of} may take long. */
    default boolean waits(Request request) {
        return false;
    }

    /** Returns the caller; null if a required caller is unknown. */
    @Nullable
    Caller of(Request request);

    static GatewayCallerResolver anonymous() {
        return request -> Caller.ANONYMOUS;
    }

    /** Returns the callers as configured. */
    static GatewayCallerResolver of(CallerConfig who, TrustedProxies peers) {
        if (who.principal().kind() == PrincipalRule.Kind.ANONYMOUS && who.tenant() == null) {
            return anonymous();
        }
        JwtConfig jwt = who.jwt();
        return new ConfiguredCallers(
                who,
                peers,
                jwt == null ? null : new JwtVerifier(keys(jwt), who.claims(), jwt.issuer(), jwt.audience()));
    }

    private static JwtKeys keys(JwtConfig jwt) {
        try {
            return JwtKeys.at(jwt.keys());
        } catch (IllegalArgumentException e) {
            throw new ConfigException(jwt.where() + ": " + e.getMessage());
        }
    }

    /**
     * The principal and the tenant, each from its configured source.
     *
     * @param jwts null if neither is in a token
     */
    record ConfiguredCallers(
            CallerConfig who,
            TrustedProxies peers,
            @Nullable JwtVerifier jwts) implements GatewayCallerResolver {

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

        /** Returns the issuer, since two issuers may have users of the same name; null if no token names the caller. */
        private @Nullable String issuer(@Nullable JWTClaimsSet said) {
            JwtConfig jwt = who.jwt();
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
                case JWT -> said == null ? null : JwtVerifier.text(said, rule.name());
            };
        }

        /** Returns the header's value if a trusted proxy sent it; from any other client, the header means nothing. */
        private @Nullable String header(String name, Request request) {
            if (!peers.trusted(request)) {
                return null;
            }
            // two lines mean that somebody has added one
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
