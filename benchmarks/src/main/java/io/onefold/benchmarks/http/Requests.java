package io.onefold.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Requests as they are written to a connection. */
final class Requests {
    private Requests() {}

    /** A small one. */
    static ByteBuffer order(InetSocketAddress to, String path, String key, boolean withKey) {
        String body = Order.asked(key);
        return ByteBuffer.wrap(
                (head(to, path, withKey ? key : null, "application/json", body.length()) + body).getBytes(US_ASCII));
    }

    /** The head of one whose body follows. */
    static ByteBuffer upload(InetSocketAddress to, String key, int length) {
        return ByteBuffer.wrap(head(to, Service.UPLOADS, key, "application/octet-stream", length)
                .getBytes(US_ASCII));
    }

    private static String head(InetSocketAddress to, String path, @Nullable String key, String type, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + to.getPort() + "\r\nContent-Type: " + type
                + (key == null ? "" : "\r\nIdempotency-Key: " + key) + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    /** As clients make them. */
    static String key(SplittableRandom random) {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }
}
