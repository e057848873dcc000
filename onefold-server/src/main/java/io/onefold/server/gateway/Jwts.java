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

/** Believes a JWT whose signature, time, issuer and audience are right. Nothing of a token is ever logged. */
final class Jwts {
    private static final Logger LOG = LoggerFactory.getLogger(Jwts.class);
    private static final int SKEW_SECONDS = 60;

    /** Signatures with a public key alone: a shared secret has no place in a key set, and none is no signature. */
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

    private final Keys keys;
    private final DefaultJWTClaimsVerifier<SecurityContext> claims;

    /**
     * @param needed claims whose values say who asks
     * @param issuer null if any will do; so for the audience
     */
    Jwts(Keys keys, Collection<String> needed, @Nullable String issuer, @Nullable String audience) {
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

    /** Whether keys must be fetched before this token can be believed. */
    boolean waits(String token) {
        try {
            JWSHeader header = SignedJWT.parse(token).getHeader();
            JWKMatcher matcher = ALGORITHMS.contains(header.getAlgorithm()) ? JWKMatcher.forJWSHeader(header) : null;
            return matcher != null && !keys.atHand(matcher);
        } catch (ParseException | IllegalArgumentException e) {
            return false;
        }
    }

    /** What the token says; null if it is not to be believed. */
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

    /** Null if it is no text, or an empty one. */
    static @Nullable String text(JWTClaimsSet said, String claim) {
        return said.getClaim(claim) instanceof String text && !text.isBlank() ? text : null;
    }

    private boolean signed(SignedJWT jwt) throws JOSEException {
        // what a token calls critical must be understood, and nothing beyond the usual is
        if (!ALGORITHMS.contains(jwt.getHeader().getAlgorithm())
                || jwt.getHeader().getCriticalParams() != null) {
            return false;
        }
        JWKMatcher matcher = JWKMatcher.forJWSHeader(jwt.getHeader());
        List<JWK> candidates = matcher == null ? List.of() : keys.get(matcher);
        for (JWK key : candidates) {
            if (Signatures.right(jwt, key)) {
                return true;
            }
        }
        return false;
    }
}
