package io.onefold.payload;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * What makes two requests the same request: a SHA-256 over the canonical form of the payload. Made by {@link
 * Fingerprinter}; equal if and only if the selected parts of two payloads are equal, whatever their notation.
 */
public final class Fingerprint {

    // Kept instead of the payload: the payload may be changed by the work before its fields are asked for.
    private final byte[] canonical;
    private final byte[] digest;

    Fingerprint(byte[] canonical) {
        this.canonical = canonical;
        this.digest = Hashes.sha256(canonical);
    }

    /** The 32 bytes that are compared. */
    public byte[] digest() {
        return digest.clone();
    }

    /** Whether these bytes end with the digest, in constant time and without a copy. */
    boolean endsWith(byte[] bytes) {
        int different = 0;
        for (int i = 0; i < digest.length; i++) {
            different |= digest[i] ^ bytes[bytes.length - digest.length + i];
        }
        return different == 0;
    }

    /**
     * The digests of at most 32 parts, by their dotted paths, that together cover the payload. Computed on each call:
     * needed when a request is seen for the first time or differs from the first one, and not otherwise.
     */
    public Map<String, byte[]> fields() {
        return new Fields(canonical).digests(null);
    }

    Map<String, byte[]> fields(NavigableSet<String> like) {
        return new Fields(canonical).digests(like);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint that && MessageDigest.isEqual(digest, that.digest);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(digest);
    }

    /** Says nothing about the payload: a short one could be guessed from its digest. */
    @Override
    public String toString() {
        return "Fingerprint[v" + Canonical.VERSION + "]";
    }
}
