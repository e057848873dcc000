package io.onefold.server.gateway;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import java.text.ParseException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts a JWT whose signature, time, issuer and audience are right. Nothing of a token is ever logged. */
final class JwtVerifier {
    private static final Logger LOG = LoggerFactory.getLogger(JwtVerifier.class);
    private static final int SKEW_SECONDS = 60;

    /**
     * The accepted algorithms, which all use a public key: a shared secret must not be in a key set, and "none" is no
     * signature.
     */
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512,
            JWSAlgorithm.EdDSA,
            JWSAlgorithm.Ed25519);

    private final JwtKeys keys;
    private final DefaultJWTClaimsVerifier<SecurityContext> claims;

    /**
     * @param needed claims that identify the caller
     * @param issuer null to accept any; likewise the audience
     */
    JwtVerifier(JwtKeys keys, Collection<String> needed, @Nullable String issuer, @Nullable String audience) {
        this.keys = keys;
        JWTClaimsSet.Builder exact = new JWTClaimsSet.Builder();
        if (issuer != null) {
            exact.issuer(issuer);
        }
        Set<String> required = new HashSet<>(needed);
        required.add("exp");
        this.claims = new DefaultJWTClaimsVerifier<>(audience, exact.build(), required);
        this.claims.setMaxClockSkew(SKEW_SECONDS);
    }

    /** Returns true if keys must be fetched before this token can be checked. */
    boolean waits(String token) {
        try {
            JWSHeader header = SignedJWT.parse(token).getHeader();
            JWKMatcher matcher = ALGORITHMS.contains(header.getAlgorithm()) ? JWKMatcher.forJWSHeader(header) : null;
            return matcher != null && !keys.atHand(matcher);
        } catch (ParseException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the claims of the token; null if it is not valid. */
    @Nullable
    JWTClaimsSet believed(String token) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            if (!signed(jwt)) {
                return null;
            }
            JWTClaimsSet said = jwt.getJWTClaimsSet();
            claims.verify(said, null);
            return said;
        } catch (RateLimitReachedException e) {
            LOG.debug("a token names a key that is not known, and the keys were fetched just now");
            return null;
        } catch (KeySourceException e) {
            LOG.warn("the keys that tokens are signed with cannot be had: {}", e.getMessage());
            return null;
        } catch (ParseException | JOSEException | BadJOSEException | IllegalArgumentException e) {
            LOG.debug("a token is not believed: {}", e.getMessage());
            return null;
        }
    }

    /** Returns null if the claim is not text, or empty. */
    static @Nullable String text(JWTClaimsSet said, String claim) {
        return said.getClaim(claim) instanceof String text && !text.isBlank() ? text : null;
    }

    private boolean signed(SignedJWT jwt) throws JOSEException {
        // every header that a token calls critical must be understood, and only the usual ones are
        if (!ALGORITHMS.contains(jwt.getHeader().getAlgorithm())
                || jwt.getHeader().getCriticalParams() != null) {
            return false;
        }
        JWKMatcher matcher = JWKMatcher.forJWSHeader(jwt.getHeader());
        List<JWK> candidates = matcher == null ? List.of() : keys.get(matcher);
        for (JWK key : candidates) {
            if (JwtSignatures.right(jwt, key)) {
                return true;
            }
        }
        return false;
    }
}
