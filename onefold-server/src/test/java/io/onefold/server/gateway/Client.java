package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/** Sends requests byte by byte, as no library would let one. */
final class Client {
    private static final int PATIENCE_MILLIS = 30_000;

    private final int port;

    Client(int port) {
        this.port = port;
    }

    Message post(String path, String key, String body, String... headers) {
        return send("POST", path, body, with(headers, "Idempotency-Key: " + key, "Content-Type: application/json"));
    }

    CompletableFuture<Message> postAsync(String path, String key, String body, String... headers) {
        return CompletableFuture.supplyAsync(
                () -> post(path, key, body, headers), task -> new Thread(task, "client").start());
    }

    Message get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    Message send(String method, String path, String body, String... headers) {
        try (Socket socket = open()) {
            write(socket, request(method, path, body, with(headers, "Connection: close")));
            InputStream in = socket.getInputStream();
            return Message.read(in, method.equals("HEAD"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String request(String method, String path, String body, String... headers) {
        StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: shop.example\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        if (!body.isEmpty()) {
            text.append("Content-Length: ").append(body.getBytes(UTF_8).length).append("\r\n");
        }
        return text + "\r\n" + body;
    }

    /** The beginning of a request. */
    static String head(String first, String... headers) {
        return first + " HTTP/1.1\r\nHost: shop.example\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    }

    Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private static String[] with(String[] headers, String... more) {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + more.length);
        System.arraycopy(more, 0, all, headers.length, more.length);
        return all;
    }
}
