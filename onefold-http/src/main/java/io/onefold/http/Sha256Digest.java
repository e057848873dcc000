package io.onefold.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of bodies, their parts, and names. */
final class Sha256Digest {
    /** Only ever cloned: to look the algorithm up costs more than to hash a small body. */
    private static final MessageDigest PROTOTYPE = prototype();

    static MessageDigest start() {
        try {
            return (MessageDigest) PROTOTYPE.clone();
        } catch (CloneNotSupportedException e) {
            return prototype();
        }
    }

    private static MessageDigest prototype() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    static String of(InputStream in) throws IOException {
        MessageDigest digest = start();
        byte[] buffer = new byte[1 << 13];
        for (int now = in.read(buffer); now >= 0; now = in.read(buffer)) {
            digest.update(buffer, 0, now);
        }
        return hex(digest);
    }

    static String of(String text) {
        MessageDigest digest = start();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return hex(digest);
    }

    private Sha256Digest() {}
}
