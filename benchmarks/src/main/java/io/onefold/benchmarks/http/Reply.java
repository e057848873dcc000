package io.onefold.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * An answer where it was received; what it is not asked about is not looked at.
 *
 * @param head as far as the empty line
 */
record Reply(ByteBuffer head, ByteBuffer body) {
    private static final int STATUS_AT = "HTTP/1.1 ".length();
    private static final byte[] LENGTH = "\r\ncontent-length:".getBytes(US_ASCII);

    int status() {
        return 100 * (head.get(STATUS_AT) - '0') + 10 * (head.get(STATUS_AT + 1) - '0') + head.get(STATUS_AT + 2) - '0';
    }

    /** Whether there is such a line, in lower case. */
    boolean has(byte[] lowerCaseLine) {
        return find(head, lowerCaseLine) >= 0;
    }

    String text() {
        return US_ASCII.decode(head.duplicate()) + "" + US_ASCII.decode(body.duplicate());
    }

    byte[] bytes() {
        byte[] bytes = new byte[body.remaining()];
        body.get(body.position(), bytes);
        return bytes;
    }

    /** How many bytes follow after a head; all answers here say so. */
    static int length(ByteBuffer head) {
        int at = find(head, LENGTH);
        if (at < 0) {
            throw new IllegalStateException("an answer without its length: " + US_ASCII.decode(head.duplicate()));
        }
        int length = 0;
        for (int i = at + LENGTH.length; head.get(i) != '\r'; i++) {
            if (head.get(i) != ' ') {
                length = 10 * length + head.get(i) - '0';
            }
        }
        return length;
    }

    /** Where some bytes are, -1 for nowhere; letters count as small ones. */
    static int find(ByteBuffer in, byte[] lowerCase) {
        for (int at = 0; at + lowerCase.length <= in.limit(); at++) {
            int same = 0;
            while (same < lowerCase.length && lower(in.get(at + same)) == lowerCase[same]) {
                same++;
            }
            if (same == lowerCase.length) {
                return at;
            }
        }
        return -1;
    }

    /** A line as {@link #has} wants it. */
    static byte[] line(String text) {
        return ("\r\n" + text.toLowerCase(Locale.ROOT) + "\r\n").getBytes(US_ASCII);
    }

    private static int lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? letter + 32 : letter;
    }
}
