package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;

/** UTF-8 that refuses what the JDK's convenience methods silently replace. */
final class Utf8 {

    static String decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            return UTF_8.newDecoder().decode(in).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedPayloadException("malformed UTF-8", in.position());
        }
    }

    static byte[] encode(CharSequence text) {
        CharBuffer in = CharBuffer.wrap(text);
        try {
            ByteBuffer out = UTF_8.newEncoder().encode(in);
            byte[] bytes = new byte[out.remaining()];
            out.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new MalformedPayloadException("lone surrogate", in.position());
        }
    }

    /** Replaces lone surrogates, for text that is only shown to people. */
    static String repair(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }

    private Utf8() {}
}
