package io.onefold.payload;

import static io.onefold.payload.UnreadableResultException.UnreadableReason.MALFORMED;
import static io.onefold.payload.UnreadableResultException.UnreadableReason.NEWER_VERSION;
import static io.onefold.payload.UnreadableResultException.UnreadableReason.UNKNOWN_KEY;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns fingerprints into what is stored, and compares. Without keys a reader of the store could guess a short payload
 * from its digest; with keys it is an HMAC. What was stored before keys were introduced, or with an older key, still
 * compares.
 *
 * <pre>
 * header = version, length of the key id, key id (empty: no key)
 * print  = header, 32 bytes
 * fields = header, 8 bytes of salt, then for each field: length of its name, name, 6 bytes
 * </pre>
 */
public final class FingerprintKeys {

    /** Version, no key, digest: what most records have. */
    private static final int PLAIN = 2 + HashFunctions.LENGTH;

    private static final int SALT = 8;
    private static final int FIELD = 6;
    private static final FingerprintKeys NONE = new FingerprintKeys(null);

    private final @Nullable KeyRing<HashFunctions.HashFunction> ring;
    private final String currentId;

    private FingerprintKeys(@Nullable KeyRing<HashFunctions.HashFunction> ring) {
        this.ring = ring;
        this.currentId = ring == null ? "" : ring.currentId();
    }

    /** Plain SHA-256. */
    public static FingerprintKeys none() {
        return NONE;
    }

    /** HMAC-SHA-256 with keys of 16 bytes or more; the current one writes, all verify. */
    public static FingerprintKeys hmac(String currentKeyId, Map<String, byte[]> keysById) {
        return new FingerprintKeys(new KeyRing<>("", currentKeyId, keysById, HashFunctions::hmac));
    }

    public byte[] stored(Fingerprint fingerprint) {
        return HashFunctions.concat(header(), print(currentId, fingerprint));
    }

    private byte[] print(String keyId, Fingerprint fingerprint) {
        return keyId.isEmpty() ? fingerprint.digest() : hash(keyId).of(fingerprint.digest());
    }

    /**
     * Compares in constant time.
     *
     * @throws UnreadableResultException if the stored print cannot be compared here; it must not be taken for a
     *     mismatch
     */
    public boolean matches(byte[] stored, Fingerprint fingerprint) {
        if (stored.length == PLAIN && stored[0] == CanonicalForm.VERSION && stored[1] == 0) {
            return fingerprint.endsWith(stored);
        }
        ByteBuffer in = ByteBuffer.wrap(stored);
        byte[] present = print(readHeader(in), fingerprint);
        if (in.remaining() != present.length) {
            throw malformed();
        }
        return MessageDigest.isEqual(take(in, present.length), present);
    }

    /**
     * Returns the data that {@link #differing} needs later. The salt, eight random bytes, keeps equal fields of two
     * records from looking alike.
     */
    public byte[] storedFields(Fingerprint fingerprint, byte[] salt8) {
        if (salt8.length != SALT) {
            throw new IllegalArgumentException("The salt must have 8 bytes, not " + salt8.length);
        }
        ByteArrayBuilder out = new ByteArrayBuilder();
        out.put(header());
        out.put(salt8);
        HashFunctions.HashFunction hash = hash(currentId);
        fingerprint.fields().forEach((name, digest) -> {
            byte[] utf8 = name.getBytes(UTF_8);
            out.put(utf8.length);
            out.put(utf8);
            out.put(hash.of(salt8, digest), 0, FIELD);
        });
        return out.cut(0);
    }

    /**
     * The sorted names of the fields that differ, were added or are gone; beyond 32, one called {@code …} stands for
     * the rest.
     */
    public List<String> differing(byte[] storedFields, Fingerprint fingerprint) {
        ByteBuffer in = ByteBuffer.wrap(storedFields);
        String keyId = readHeader(in);
        byte[] salt = take(in, SALT);
        TreeMap<String, byte[]> stored = new TreeMap<>();
        while (in.hasRemaining()) {
            stored.put(takeText(in), take(in, FIELD));
        }
        HashFunctions.HashFunction hash = hash(keyId);
        Map<String, byte[]> present = fingerprint.fields(stored.navigableKeySet());
        present.replaceAll((name, digest) -> Arrays.copyOf(hash.of(salt, digest), FIELD));
        TreeSet<String> names = new TreeSet<>(stored.keySet());
        names.addAll(present.keySet());
        names.removeIf(name -> MessageDigest.isEqual(stored.get(name), present.get(name)));
        if (names.size() <= CanonicalFields.MAX) {
            return List.copyOf(names);
        }
        names.remove(CanonicalFields.REST);
        return Stream.concat(names.stream().limit(CanonicalFields.MAX - 1), Stream.of(CanonicalFields.REST))
                .sorted()
                .toList();
    }

    private HashFunctions.HashFunction hash(String keyId) {
        if (keyId.isEmpty()) {
            return HashFunctions.plain();
        }
        if (ring == null) {
            throw new UnreadableResultException(
                    UNKNOWN_KEY, "The fingerprint was made with key \"" + keyId + "\", but no keys are configured");
        }
        return ring.get(keyId);
    }

    private byte[] header() {
        byte[] version = {CanonicalForm.VERSION, (byte) currentId.length()};
        return HashFunctions.concat(version, currentId.getBytes(UTF_8));
    }

    /** The id of the key. */
    private static String readHeader(ByteBuffer in) {
        int version = take(in, 1)[0] & 0xFF;
        if (version == 0) {
            throw malformed();
        }
        if (version > CanonicalForm.VERSION) {
            throw new UnreadableResultException(
                    NEWER_VERSION,
                    "The fingerprint has version " + version + "; this release knows up to " + CanonicalForm.VERSION);
        }
        return takeText(in);
    }

    private static String takeText(ByteBuffer in) {
        return new String(take(in, take(in, 1)[0] & 0xFF), UTF_8);
    }

    private static byte[] take(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        try {
            in.get(bytes);
        } catch (BufferUnderflowException e) {
            throw malformed();
        }
        return bytes;
    }

    private static UnreadableResultException malformed() {
        return new UnreadableResultException(MALFORMED, "The stored fingerprint is malformed");
    }
}
