package io.onefold.payload;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;

/** Leaves results readable but makes changes evident: HMAC-SHA-256 behind the bytes. */
public final class MacSeal implements Seal {

    private final KeyRing<HashFunctions.HashFunction> ring;

    private MacSeal(KeyRing<HashFunctions.HashFunction> ring) {
        this.ring = ring;
    }

    /** Keys of 16 bytes or more; the current one seals, all open. */
    public static MacSeal of(String currentKeyId, Map<String, byte[]> keysById) {
        return new MacSeal(new KeyRing<>("mac:", currentKeyId, keysById, HashFunctions::hmac));
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
        HashFunctions.HashFunction key = ring.get(keyId);
        byte[] plain = Arrays.copyOf(sealed, Math.max(0, sealed.length - HashFunctions.LENGTH));
        if (!MessageDigest.isEqual(sealed, seal(key, plain, associated))) {
            throw UnreadableResultException.badSeal(keyId);
        }
        return plain;
    }

    /** The associated data is hashed first, to a fixed length: no byte can move between the two parts. */
    private static byte[] seal(HashFunctions.HashFunction key, byte[] plain, byte[] associated) {
        return HashFunctions.concat(plain, key.of(HashFunctions.sha256(associated), plain));
    }
}
