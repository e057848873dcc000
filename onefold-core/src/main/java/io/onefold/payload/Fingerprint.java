package io.onefold.payload;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprint of a request: a SHA-256 over the canonical form of the payload. Two requests with the same
 * fingerprint are the same request. It is made by {@link Fingerprinter}. Two are equal if and only if the selected
 * parts of two payloads are equal, whatever their notation.
 */
public final class Fingerprint {

    /** Less than what its fields would take instead. */
    private static final int SMALL = 4_096;

    // Kept instead of the payload: the payload may be changed by the work before its fields are asked for.
    private volatile byte @Nullable [] canonical;

    /** The fields of a large payload, once they were asked for. They are written before the payload is let go. */
    private volatile @Nullable Map<String, byte[]> fields;

    private final byte[] digest;

    Fingerprint(byte[] canonical) {
        this.canonical = canonical;
        this.digest = HashFunctions.sha256(canonical);
    }

    /** The 32 bytes that are compared. */
    public byte[] digest() {
        return digest.clone();
    }

    /** Returns true if these bytes end with the digest. The comparison takes constant time. */
    boolean endsWith(byte[] bytes) {
        // a copy, for what is known to compare in constant time; no test could tell that of a loop
        return MessageDigest.isEqual(digest, Arrays.copyOfRange(bytes, bytes.length - digest.length, bytes.length));
    }

    /**
     * The digests of at most 32 parts, by their dotted paths, that together cover the payload; a short part stands for
     * itself. Computed on demand: needed when a request is seen for the first time or differs from the first one, and not
     * otherwise.
     */
    public Map<String, byte[]> fields() {
        byte[] whole = canonical;
        Map<String, byte[]> known = fields;
        if (known == null) {
            known = new CanonicalFields(Objects.requireNonNull(whole)).digests(null);
            if (whole.length <= SMALL) {
                return known;
            }
            fields = known;
        }
        return new LinkedHashMap<>(known);
    }

    Map<String, byte[]> fields(NavigableSet<String> like) {
        byte[] whole = canonical;
        return whole == null ? fields() : new CanonicalFields(whole).digests(like);
    }

    /**
     * Lets go of a large payload, for who has compared it and waits: many may do so at once. What is compared stays;
     * should it differ later on, more fields may be named than do.
     */
    public void condense() {
        byte[] whole = canonical;
        if (whole != null && whole.length > SMALL) {
            var unused = fields();
            canonical = null;
        }
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
        return "Fingerprint[v" + CanonicalForm.VERSION + "]";
    }
}
