package io.onefold.server.gateway;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;

/** Checks that a token was signed with a key. */
final class JwtSignatures {
    private JwtSignatures() {}

    static boolean right(SignedJWT jwt, JWK key) throws JOSEException {
        if (key instanceof RSAKey rsa) {
            return jwt.verify(new RSASSAVerifier(rsa.toRSAPublicKey()));
        }
        if (key instanceof ECKey ec) {
            return jwt.verify(new ECDSAVerifier(ec.toECPublicKey()));
        }
        return key instanceof OctetKeyPair pair && Curve.Ed25519.equals(pair.getCurve()) && edwards(jwt, pair);
    }

    /** Checks an Edwards-curve signature with the JDK: the library would need another library for it. */
    private static boolean edwards(SignedJWT jwt, OctetKeyPair key) {
        byte[] little = key.getX().decode();
        byte[] signature = jwt.getSignature().decode();
        if (little.length != 32 || signature.length != 64) {
            return false;
        }
        byte[] big = new byte[32];
        for (int i = 0; i < 32; i++) {
            big[i] = little[31 - i];
        }
        boolean odd = (big[0] & 0x80) != 0;
        big[0] &= 0x7F;
        EdECPublicKeySpec spec =
                new EdECPublicKeySpec(NamedParameterSpec.ED25519, new EdECPoint(odd, new BigInteger(1, big)));
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(spec));
            verifier.update(jwt.getSigningInput());
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
