package io.onefold.payload;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;

/** UTF-8 and its escapes, without the leniency of the JDK's convenience methods. */
final class Utf8 {

    /** The text of these bytes, which were found at the offset. */
    static String decode(byte[] bytes, int offset) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            return UTF_8.newDecoder().decode(in).toString();
        } catch (CharacterCodingException e) {
            throw new MalformedPayloadException("malformed UTF-8", offset + in.position());
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
