package io.onefold.payload;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** SHA-256, plain and with a key, and how bytes are put together for it. */
final class HashFunctions {

    /** A hash over all parts together, as if they were one. */
    interface HashFunction {
        byte[] of(byte[]... parts);
    }

    static final int LENGTH = 32;

    /** Only ever cloned, like the prototypes with a key: a provider look-up per call would cost more than the hash. */
    private static final MessageDigest SHA_256 = newSha256();

    static byte[] sha256(byte[]... parts) {
        MessageDigest digest = start();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    /** For several hashes one after the other, by one thread. */
    static HashFunction plain() {
        MessageDigest digest = start();
        return parts -> {
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        };
    }

    static MessageDigest start() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            return newSha256();
        }
    }

    static HashFunction hmac(String id, byte[] key) {
        if (key.length < 16) {
            throw new IllegalArgumentException(
                    "Key \"" + id + "\" has " + key.length + " bytes; HMAC needs 16 or more");
        }
        SecretKeySpec secret = new SecretKeySpec(key, "HmacSHA256");
        Mac prototype = newMac(secret);
        return parts -> {
            Mac mac = copy(prototype, secret);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        };
    }

    private static Mac copy(Mac prototype, SecretKeySpec secret) {
        try {
            return (Mac) prototype.clone();
        } catch (CloneNotSupportedException e) {
            return newMac(secret);
        }
    }

    private static Mac newMac(SecretKeySpec secret) {
        try {
            Mac mac = Mac.getInstance(secret.getAlgorithm());
            mac.init(secret);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }

    static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private HashFunctions() {}
}
