package io.onefold.payload;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;

/** Leaves results readable but makes changes evident: HMAC-SHA-256 behind the bytes. */
public final class MacSeal implements Seal {

    private final KeyRing<Hashes.Hash> ring;

    private MacSeal(KeyRing<Hashes.Hash> ring) {
        this.ring = ring;
    }

    /** Keys of 16 bytes or more; the current one seals, all open. */
    public static MacSeal of(String currentKeyId, Map<String, byte[]> keysById) {
        return new MacSeal(new KeyRing<>("mac:", currentKeyId, keysById, Hashes::hmac));
    }

    @Override
    public String keyId() {
        return ring.currentId();
    }

    @Override
    public byte[] seal(byte[] plain, byte[] associated) {
        return seal(ring.current(), plain, associated);
    }

    @Override
    public byte[] open(String keyId, byte[] sealed, byte[] associated) {
        Hashes.Hash key = ring.get(keyId);
        byte[] plain = Arrays.copyOf(sealed, Math.max(0, sealed.length - Hashes.LENGTH));
        if (!MessageDigest.isEqual(sealed, seal(key, plain, associated))) {
            throw UnreadableResultException.badSeal(keyId);
        }
        return plain;
    }

    /** The associated data is hashed first, to a fixed length: no byte can move between the two parts. */
    private static byte[] seal(Hashes.Hash key, byte[] plain, byte[] associated) {
        return Hashes.concat(plain, key.of(Hashes.sha256(associated), plain));
    }
}
