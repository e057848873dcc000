package io.onefold.payload;

import static io.onefold.payload.UnreadableResultException.Reason.MALFORMED;
import static io.onefold.payload.UnreadableResultException.Reason.NEWER_VERSION;
import static io.onefold.payload.UnreadableResultException.Reason.UNKNOWN_KEY;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
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

    private static final int SALT = 8;
    private static final int FIELD = 6;
    private static final FingerprintKeys NONE = new FingerprintKeys(null);

    private final @Nullable KeyRing<Hashes.Hmac> ring;

    private FingerprintKeys(@Nullable KeyRing<Hashes.Hmac> ring) {
        this.ring = ring;
    }

    /** Plain SHA-256. */
    public static FingerprintKeys none() {
        return NONE;
    }

    /** HMAC-SHA-256 with keys of 16 bytes or more; the current one writes, all verify. */
    public static FingerprintKeys hmac(String currentKeyId, Map<String, byte[]> keysById) {
        return new FingerprintKeys(new KeyRing<>(currentKeyId, keysById, KeyRing::hmac));
    }

    public byte[] stored(Fingerprint fingerprint) {
        byte[] header = header();
        byte[] stored = Arrays.copyOf(header, header.length + Hashes.LENGTH);
        byte[] print = print(ring == null ? null : ring.current(), fingerprint);
        System.arraycopy(print, 0, stored, header.length, Hashes.LENGTH);
        return stored;
    }

    private static byte[] print(Hashes.@Nullable Hmac key, Fingerprint fingerprint) {
        return key == null ? fingerprint.digest() : key.of(new byte[0], fingerprint.digest());
    }

    /**
     * Compares in constant time.
     *
     * @throws UnreadableResultException if the stored print cannot be compared here; it must not be taken for a
     *     mismatch
     */
    public boolean matches(byte[] stored, Fingerprint fingerprint) {
        ByteBuffer in = ByteBuffer.wrap(stored);
        Hashes.Hmac key = readHeader(in);
        if (in.remaining() != Hashes.LENGTH) {
            throw malformed();
        }
        return MessageDigest.isEqual(take(in, Hashes.LENGTH), print(key, fingerprint));
    }

    /**
     * What {@link #differing} needs later. The salt, eight random bytes, keeps equal fields of two records from looking
     * alike.
     */
    public byte[] storedFields(Fingerprint fingerprint, byte[] salt8) {
        if (salt8.length != SALT) {
            throw new IllegalArgumentException("The salt must have 8 bytes, not " + salt8.length);
        }
        Hashes.Hmac key = ring == null ? null : ring.current();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(header());
        out.writeBytes(salt8);
        fingerprint.fields().forEach((name, digest) -> {
            byte[] utf8 = name.getBytes(UTF_8);
            out.write(utf8.length);
            out.writeBytes(utf8);
            out.writeBytes(shorten(key, salt8, digest));
        });
        return out.toByteArray();
    }

    /**
     * The sorted names of the fields that differ, were added or are gone; beyond 32, one called {@code …} stands for
     * the rest.
     */
    public List<String> differing(byte[] storedFields, Fingerprint fingerprint) {
        ByteBuffer in = ByteBuffer.wrap(storedFields);
        Hashes.Hmac key = readHeader(in);
        byte[] salt = take(in, SALT);
        Map<String, byte[]> stored = new TreeMap<>();
        while (in.hasRemaining()) {
            String name = new String(take(in, take(in, 1)[0] & 0xFF), UTF_8);
            stored.put(name, take(in, FIELD));
        }
        Map<String, byte[]> present = fingerprint.fields(stored.keySet());
        present.replaceAll((name, digest) -> shorten(key, salt, digest));
        TreeSet<String> names = new TreeSet<>(stored.keySet());
        names.addAll(present.keySet());
        names.removeIf(name -> Arrays.equals(stored.get(name), present.get(name)));
        if (names.size() <= Fields.MAX) {
            return List.copyOf(names);
        }
        names.remove(Fields.REST);
        return Stream.concat(names.stream().limit(Fields.MAX - 1), Stream.of(Fields.REST))
                .sorted()
                .toList();
    }

    private static byte[] shorten(Hashes.@Nullable Hmac key, byte[] salt, byte[] digest) {
        return Arrays.copyOf(key == null ? Hashes.sha256(salt, digest) : key.of(salt, digest), FIELD);
    }

    private byte[] header() {
        byte[] id = ring == null ? new byte[0] : ring.currentId().getBytes(US_ASCII);
        byte[] header = Arrays.copyOf(new byte[] {Canonical.VERSION, (byte) id.length}, 2 + id.length);
        System.arraycopy(id, 0, header, 2, id.length);
        return header;
    }

    private Hashes.@Nullable Hmac readHeader(ByteBuffer in) {
        int version = take(in, 1)[0] & 0xFF;
        if (version > Canonical.VERSION) {
            throw new UnreadableResultException(
                    NEWER_VERSION,
                    "The fingerprint has version " + version + "; this release knows up to " + Canonical.VERSION);
        }
        if (version == 0) {
            throw malformed();
        }
        String id = new String(take(in, take(in, 1)[0] & 0xFF), US_ASCII);
        if (id.isEmpty()) {
            return null;
        }
        if (ring == null) {
            throw new UnreadableResultException(
                    UNKNOWN_KEY, "The fingerprint was made with key \"" + id + "\", but no keys are configured");
        }
        return ring.get(id);
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
