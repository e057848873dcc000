package io.onefold.payload;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * SHA-256 and HMAC-SHA-256 from prototypes that are set up once and only ever cloned: a provider look-up per call costs
 * more than the hash.
 */
final class Hashes {

    static final int LENGTH = 32;

    private static final MessageDigest SHA_256 = newSha256();

    static byte[] sha256(byte[] first, byte[] second) {
        MessageDigest digest = sha256();
        digest.update(first);
        return digest.digest(second);
    }

    static byte[] sha256(byte[] bytes, int from, int to) {
        MessageDigest digest = sha256();
        digest.update(bytes, from, to - from);
        return digest.digest();
    }

    static MessageDigest sha256() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            return newSha256();
        }
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** A keyed hash that is never updated itself. */
    static final class Hmac {

        private final SecretKeySpec key;
        private final Mac prototype;

        Hmac(byte[] key) {
            this.key = new SecretKeySpec(key, "HmacSHA256");
            this.prototype = newMac();
        }

        byte[] of(byte[] first, byte[] second) {
            Mac mac = copy();
            mac.update(first);
            return mac.doFinal(second);
        }

        private Mac copy() {
            try {
                return (Mac) prototype.clone();
            } catch (CloneNotSupportedException e) {
                return newMac();
            }
        }

        private Mac newMac() {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(key);
                return mac;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Every Java platform has HmacSHA256", e);
            }
        }
    }

    private Hashes() {}
}
