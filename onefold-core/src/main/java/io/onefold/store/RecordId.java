package io.onefold.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a record: 16 bytes of SHA-256 over the length-prefixed scope, operation and key. Stores look records up by the
 * digest and compare the three names on every hit ({@link #requireSame}), so that not even a collision lets one request answer
 * another. Two ids are equal when their digests are.
 */
public final class RecordId implements Comparable<RecordId> {
    private static final MessageDigest SHA_256 = sha256();
    private static final String HASHED = "sha256:";
    private static final String OWN = "onefold";
    private static final String OWN_OPERATIONS = OWN + ".";

    private final long high;
    private final long low;
    private final String scope;
    private final String operation;
    private final String key;
    private final @Nullable String original;

    private RecordId(long high, long low, String scope, String operation, String key, @Nullable String original) {
        this.high = high;
        this.low = low;
        this.scope = Objects.requireNonNull(scope, "scope");
        this.operation = Objects.requireNonNull(operation, "operation");
        this.key = Objects.requireNonNull(key, "key");
        this.original = original;
    }

    public static RecordId of(String scope, String operation, String key) {
        byte[] digest = digest(scope, operation, key);
        return new RecordId(longAt(digest, 0), longAt(digest, 8), scope, operation, key, null);
    }

    /** The same identity as {@link #of}, but {@link #key()} is only the key's hash: the key itself never reaches the store. */
    public static RecordId hashed(String scope, String operation, String key) {
        byte[] digest = digest(scope, operation, key);
        return new RecordId(longAt(digest, 0), longAt(digest, 8), scope, operation, hash(digest), key);
    }

    /**
     * The identity whose key is known by its hash only, as {@link #key()} of a {@link #hashed} one tells it.
     *
     * @throws IllegalArgumentException if it is no such hash
     */
    public static RecordId ofHash(String scope, String operation, String hash) {
        if (!hash.startsWith(HASHED) || hash.length() != HASHED.length() + 64) {
            throw new IllegalArgumentException("a hash of a key begins with " + HASHED + " and has 64 hex digits");
        }
        byte[] digest = HexFormat.of().parseHex(hash, HASHED.length(), hash.length());
        return new RecordId(longAt(digest, 0), longAt(digest, 8), scope, operation, hash, null);
    }

    /**
     * The identity of a hold: a lock, or the turn of a node. Its claim is all that it is for. When the lease of its holder is over it is
     * free, nothing about it is unknown, and nobody has to care for it.
     *
     * @param kind of holds; one word
     */
    public static RecordId hold(String kind, String name) {
        return of(OWN, OWN_OPERATIONS + kind, name);
    }

    /** Returns true if operations of this name are Onefold's own. */
    public static boolean isReserved(String operation) {
        return operation.startsWith(OWN_OPERATIONS);
    }

    /** An id as a store read it back. */
    public static RecordId stored(long high, long low, String scope, String operation, String key) {
        return new RecordId(high, low, scope, operation, key, null);
    }

    public long high() {
        return high;
    }

    public long low() {
        return low;
    }

    public UUID uuid() {
        return new UUID(high, low);
    }

    public String scope() {
        return scope;
    }

    public String operation() {
        return operation;
    }

    /** The key as it is stored: itself, or its hash. */
    public String key() {
        return key;
    }

    /** Returns true if the record exists only for its claim; see {@link #hold}. */
    public boolean isHold() {
        return scope.equals(OWN) && isReserved(operation);
    }

    /** Returns the other form in which the key may be stored: its hash, or the key itself if this id knows it. */
    public String alias() {
        if (original != null) {
            return original;
        }
        return key.startsWith(HASHED) ? key : hash(digest(scope, operation, key));
    }

    /** The safe form, fit for logs and messages: it says nothing of the key to those who cannot guess it. */
    public String safe() {
        return HexFormat.of().toHexDigits(high).substring(0, 12);
    }

    /**
     * A key for a call that the work makes to somebody else: the same for every attempt, different for every scope, operation, key
     * and name, and free of all four.
     */
    public String child(String name) {
        byte[] digest = digest(uuid().toString(), "child", name);
        return new UUID(longAt(digest, 0), longAt(digest, 8)).toString();
    }

    /** The identity of this record's copy in another place, apart from all other places. */
    public RecordId at(String place) {
        byte[] digest = digest(uuid().toString(), "at", place);
        return new RecordId(longAt(digest, 0), longAt(digest, 8), scope, operation, key, original);
    }

    /** Refuses to take a record for another's whose digest happens to be the same. */
    public void requireSame(RecordId met) {
        if (!isSame(met)) {
            throw new IllegalStateException(
                    "record " + safe() + " belongs to another scope, operation or key: two ids share a digest");
        }
    }

    /** Returns true if the names are the same, and not only the digests. */
    public boolean isSame(RecordId met) {
        return scope.equals(met.scope) && operation.equals(met.operation) && sameKey(met);
    }

    /** An operation may have switched to hashed keys, or back, since the record was written. */
    private boolean sameKey(RecordId met) {
        if (key.equals(met.key) || key.equals(met.original) || met.key.equals(original)) {
            return true;
        }
        return met.key.startsWith(HASHED) && met.key.equals(hash(digest(scope, operation, key)));
    }

    @Override
    public int compareTo(RecordId other) {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RecordId that && high == that.high && low == that.low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(low);
    }

    @Override
    public String toString() {
        return operation + "/" + safe();
    }

    private static String hash(byte[] digest) {
        return HASHED + HexFormat.of().formatHex(digest);
    }

    private static byte[] digest(String scope, String operation, String key) {
        byte[] first = scope.getBytes(StandardCharsets.UTF_8);
        byte[] second = operation.getBytes(StandardCharsets.UTF_8);
        byte[] third = key.getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[12 + first.length + second.length + third.length];
        int at = put(all, 0, first);
        at = put(all, at, second);
        put(all, at, third);
        try {
            // a clone is several times cheaper than a look-up of the algorithm, and the prototype is never fed
            return ((MessageDigest) SHA_256.clone()).digest(all);
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int put(byte[] target, int at, byte[] part) {
        for (int i = 0; i < 4; i++) {
            target[at + i] = (byte) (part.length >>> (24 - 8 * i));
        }
        System.arraycopy(part, 0, target, at + 4, part.length);
        return at + 4 + part.length;
    }

    private static long longAt(byte[] bytes, int at) {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = (value << 8) | (bytes[at + i] & 0xff);
        }
        return value;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
