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
record RawRequest(String method, String target, List<String> lines, byte @Nullable [] body, boolean chunked) {
    private static final int CHUNK = 64 << 10;

    static RawRequest of(String method, String target) {
        return new RawRequest(method, target, List.of(), null, false);
    }

    static RawRequest get(String target) {
        return of("GET", target);
    }

    /** An order of one thing, for those who do not care what is posted. */
    static RawRequest post(String key) {
        return of("POST", "/orders").key(key).json("{\"amount\":10,\"currency\":\"EUR\"}");
    }

    RawRequest key(String key) {
        return with("Idempotency-Key", key);
    }

    RawRequest user(String user) {
        return with(AdapterSetup.USER, user);
    }

    RawRequest with(String name, String value) {
        return line(name + ": " + value);
    }

    RawRequest line(String line) {
        List<String> more = new ArrayList<>(lines);
        more.add(line);
        return new RawRequest(method, target, List.copyOf(more), body, chunked);
    }

    /** Without the lines of this name. */
    RawRequest without(String name) {
        String start = name + ":";
        List<String> fewer = lines.stream()
                .filter(line -> !line.regionMatches(true, 0, start, 0, start.length()))
                .toList();
        return new RawRequest(method, target, fewer, body, chunked);
    }

    RawRequest to(String other) {
        return new RawRequest(method, other, lines, body, chunked);
    }

    RawRequest method(String other) {
        return new RawRequest(other, target, lines, body, chunked);
    }

    RawRequest json(String text) {
        return body("application/json", text);
    }

    RawRequest form(String text) {
        return body("application/x-www-form-urlencoded", text);
    }

    RawRequest body(String type, String text) {
        return body(type, text.getBytes(UTF_8));
    }

    RawRequest body(String type, byte[] bytes) {
        RawRequest typed = without("Content-Type").with("Content-Type", type);
        return new RawRequest(method, target, typed.lines, bytes, chunked);
    }

    /** Without a length: in chunks. */
    RawRequest inChunks() {
        return new RawRequest(method, target, lines, body, true);
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
