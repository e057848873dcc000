package io.onefold.payload;

import static io.onefold.payload.UnreadableResultException.Reason.BAD_SEAL;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;

/** Leaves results readable but makes changes evident: HMAC-SHA-256 behind the bytes. */
public final class MacSeal implements Seal {

    private static final String PREFIX = "mac:";

    private final KeyRing<Hashes.Hmac> ring;

    private MacSeal(KeyRing<Hashes.Hmac> ring) {
        this.ring = ring;
    }

    /** Keys of 16 bytes or more; the current one seals, all open. */
    public static MacSeal of(String currentKeyId, Map<String, byte[]> keysById) {
        return new MacSeal(new KeyRing<>(currentKeyId, keysById, KeyRing::hmac));
    }

    @Override
    public String keyId() {
        return PREFIX + ring.currentId();
    }

    @Override
    public byte[] seal(byte[] plain, byte[] associated) {
        byte[] tag = tag(ring.current(), plain, associated);
        byte[] sealed = Arrays.copyOf(plain, plain.length + tag.length);
        System.arraycopy(tag, 0, sealed, plain.length, tag.length);
        return sealed;
    }

    @Override
    public byte[] open(String keyId, byte[] sealed, byte[] associated) {
        Hashes.Hmac key = ring.get(PREFIX, keyId);
        int length = sealed.length - Hashes.LENGTH;
        if (length >= 0) {
            byte[] plain = Arrays.copyOf(sealed, length);
            byte[] found = Arrays.copyOfRange(sealed, length, sealed.length);
            if (MessageDigest.isEqual(found, tag(key, plain, associated))) {
                return plain;
            }
        }
        throw new UnreadableResultException(BAD_SEAL, "The seal of key \"" + keyId + "\" does not fit");
    }

    /** The associated data is hashed first, to a fixed length: no byte can move between the two parts. */
    private static byte[] tag(Hashes.Hmac key, byte[] plain, byte[] associated) {
        return key.of(Hashes.sha256(associated, 0, associated.length), plain);
    }
}
