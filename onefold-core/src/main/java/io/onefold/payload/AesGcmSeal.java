package io.onefold.payload;

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

    private static final int IV = 12;
    private static final int TAG_BITS = 128;

    private final KeyRing<SecretKeySpec> ring;
    private final SecureRandom random = new SecureRandom();

    private AesGcmSeal(KeyRing<SecretKeySpec> ring) {
        this.ring = ring;
    }

    /** Keys of 16 or 32 bytes; the current one seals, all open. */
    public static AesGcmSeal of(String currentKeyId, Map<String, byte[]> keysById) {
        return new AesGcmSeal(new KeyRing<>("gcm:", currentKeyId, keysById, AesGcmSeal::load));
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
        return ring.currentId();
    }

    @Override
    public byte[] seal(byte[] plain, byte[] associated) {
        byte[] iv = new byte[IV];
        random.nextBytes(iv);
        try {
            return HashFunctions.concat(
                    iv,
                    cipher(Cipher.ENCRYPT_MODE, ring.current(), iv, associated).doFinal(plain));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-GCM is not available", e);
        }
    }

    @Override
    public byte[] open(String keyId, byte[] sealed, byte[] associated) {
        SecretKeySpec key = ring.get(keyId);
        // Checked here because providers answer to short input with all sorts of exceptions.
        if (sealed.length < IV + TAG_BITS / 8) {
            throw UnreadableResultException.badSeal(keyId);
        }
        try {
            return cipher(Cipher.DECRYPT_MODE, key, sealed, associated).doFinal(sealed, IV, sealed.length - IV);
        } catch (GeneralSecurityException e) {
            throw UnreadableResultException.badSeal(keyId);
        }
    }

    private static Cipher cipher(int mode, SecretKeySpec key, byte[] iv, byte[] associated)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv, 0, IV));
        cipher.updateAAD(associated);
        return cipher;
    }
}
