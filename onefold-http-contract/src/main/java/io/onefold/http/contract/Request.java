package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request, to the byte. Immutable; each method returns a changed copy.
 *
 * @param lines as they are sent, one by one; whatever a library would join, mend or refuse can be said
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Request(String method, String target, List<String> lines, byte @Nullable [] body, boolean chunked) {
    private static final int CHUNK = 64 << 10;

    static Request of(String method, String target) {
        return new Request(method, target, List.of(), null, false);
    }

    static Request get(String target) {
        return of("GET", target);
    }

    /** An order of one thing, for those who do not care what is posted. */
    static Request post(String key) {
        return of("POST", "/orders").key(key).json("{\"amount\":10,\"currency\":\"EUR\"}");
    }

    Request key(String key) {
        return with("Idempotency-Key", key);
    }

    Request user(String user) {
        return with(Setting.USER, user);
    }

    Request with(String name, String value) {
        return line(name + ": " + value);
    }

    Request line(String line) {
        List<String> more = new ArrayList<>(lines);
        more.add(line);
        return new Request(method, target, List.copyOf(more), body, chunked);
    }

    /** Without the lines of this name. */
    Request without(String name) {
        String start = name + ":";
        List<String> fewer = lines.stream()
                .filter(line -> !line.regionMatches(true, 0, start, 0, start.length()))
                .toList();
        return new Request(method, target, fewer, body, chunked);
    }

    Request to(String other) {
        return new Request(method, other, lines, body, chunked);
    }

    Request method(String other) {
        return new Request(other, target, lines, body, chunked);
    }

    Request json(String text) {
        return body("application/json", text);
    }

    Request form(String text) {
        return body("application/x-www-form-urlencoded", text);
    }

    Request body(String type, String text) {
        return body(type, text.getBytes(UTF_8));
    }

    Request body(String type, byte[] bytes) {
        Request typed = without("Content-Type").with("Content-Type", type);
        return new Request(method, target, typed.lines, bytes, chunked);
    }

    /** Without a length: in chunks. */
    Request inChunks() {
        return new Request(method, target, lines, body, true);
    }

    byte[] head() {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n");
        lines.forEach(line -> head.append(line).append("\r\n"));
        boolean measured = lines.stream().anyMatch(line -> line.regionMatches(true, 0, "Content-Length:", 0, 15));
        if (chunked) {
            head.append("Transfer-Encoding: chunked\r\n");
        } else if (body != null && !measured) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        return head.append("\r\n").toString().getBytes(ISO_8859_1);
    }

    byte[] content() {
        if (body == null) {
            return new byte[0];
        }
        if (!chunked) {
            return body;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < body.length; at += CHUNK) {
            int length = Math.min(CHUNK, body.length - at);
            out.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
            out.write(body, at, length);
            out.writeBytes("\r\n".getBytes(ISO_8859_1));
        }
        out.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
        return out.toByteArray();
    }
}
