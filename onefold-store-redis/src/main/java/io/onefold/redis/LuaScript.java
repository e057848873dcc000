package io.onefold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua file of this package. It is called by its hash; a server that does not know it is sent the text, and knows it from then on. */
final class LuaScript {
    private final byte[] text;
    private final byte[] hash;

    LuaScript(byte[] text) {
        this.text = text;
        this.hash = HexFormat.of().formatHex(sha1(text)).getBytes(US_ASCII);
    }

    /** Several files are one script, in that order. */
    static LuaScript named(String... names) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (String name : names) {
            text.writeBytes(read(name));
        }
        return new LuaScript(text.toByteArray());
    }

    private static byte[] read(String name) {
        try (InputStream file = LuaScript.class.getResourceAsStream(name + ".lua")) {
            if (file == null) {
                throw new IllegalStateException(name + ".lua is missing from the jar");
            }
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    byte[] text() {
        return text;
    }

    byte[] hash() {
        return hash;
    }

    private static byte[] sha1(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(text); // as Redis names scripts
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
