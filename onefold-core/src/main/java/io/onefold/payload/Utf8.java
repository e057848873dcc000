package io.onefold.payload;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;

/** UTF-8 and its escapes, without the leniency of the JDK's convenience methods. */
final class Utf8 {

    /** The text of these bytes, which were found at the offset. */
    static String decode(byte[] bytes, int offset) {
        if (isAscii(bytes)) {
            // most are, and this is several times cheaper than a decoder that reports
            return new String(bytes, ISO_8859_1);
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            return UTF_8.newDecoder().decode(in).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedPayloadException("malformed UTF-8", offset + in.position());
        }
    }

    private static boolean isAscii(byte[] bytes) {
        byte any = 0;
        for (byte each : bytes) {
            any |= each;
        }
        return any >= 0;
    }

    static byte[] encode(String text) {
        if (!hasSurrogates(text)) {
            return text.getBytes(UTF_8);
        }
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

    private static boolean hasSurrogates(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** The value of the hexadecimal digits of an escape. */
    static int hex(String text, int from, int to) {
        try {
            return HexFormat.fromHexDigits(text, from, to);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new MalformedPayloadException((to - from) + " hexadecimal digits were expected", from);
        }
    }

    private Utf8() {}
}
