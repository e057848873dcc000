package io.onefold.payload;

import static io.onefold.payload.UnreadableResultException.Reason.BAD_SEAL;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts and authenticates results with AES-GCM: a random 96-bit IV, the ciphertext, a 128-bit tag. With random IVs
 * one key should seal no more than 2<sup>32</sup> results, so change it now and then.
 */
public final class AesGcmSeal implements Seal {

    private static final String PREFIX = "gcm:";
    private static final int IV = 12;
    private static final int TAG_BITS = 128;

    private final KeyRing<SecretKeySpec> ring;
    private final SecureRandom random;

    private AesGcmSeal(KeyRing<SecretKeySpec> ring, SecureRandom random) {
        this.ring = ring;
        this.random = random;
    }

    /** Keys of 16 or 32 bytes; the current one seals, all open. */
    public static AesGcmSeal of(String currentKeyId, Map<String, byte[]> keysById) {
        return new AesGcmSeal(new KeyRing<>(currentKeyId, keysById, AesGcmSeal::load), new SecureRandom());
    }

    private static SecretKeySpec load(String id, byte[] key) {
        if (key.length != 16 && key.length != 32) {
            throw new IllegalArgumentException(
                    "Key \"" + id + "\" has " + key.length + " bytes; AES-GCM needs 16 or 32");
        }
        return new SecretKeySpec(key, "AES");
    }

    @Override
    public String keyId() {
        return PREFIX + ring.currentId();
    }

    @Override
    public byte[] seal(byte[] plain, byte[] associated) {
        byte[] iv = new byte[IV];
        random.nextBytes(iv);
        try {
            byte[] encrypted = run(Cipher.ENCRYPT_MODE, ring.current(), iv, plain, 0, associated);
            return ByteBuffer.allocate(IV + encrypted.length)
                    .put(iv)
                    .put(encrypted)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM is not available", e);
        }
    }

    @Override
    public byte[] open(String keyId, byte[] sealed, byte[] associated) {
        SecretKeySpec key = ring.get(PREFIX, keyId);
        // Checked here because providers answer to short input with all sorts of exceptions.
        if (sealed.length < IV + TAG_BITS / 8) {
            throw badSeal(keyId);
        }
        try {
            return run(Cipher.DECRYPT_MODE, key, sealed, sealed, IV, associated);
        } catch (GeneralSecurityException e) {
            throw badSeal(keyId);
        }
    }

    private static UnreadableResultException badSeal(String keyId) {
        return new UnreadableResultException(BAD_SEAL, "The seal of key \"" + keyId + "\" does not fit");
    }

    private static byte[] run(int mode, SecretKeySpec key, byte[] iv, byte[] input, int from, byte[] associated)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv, 0, IV));
        cipher.updateAAD(associated);
        return cipher.doFinal(input, from, input.length - from);
    }
}
