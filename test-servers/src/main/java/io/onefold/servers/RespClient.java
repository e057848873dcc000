package io.onefold.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * A connection to Redis that asks and answers in plain words, so that starting a server needs no client library. Words on the wire are
 * bytes; here each byte is a character, and only {@link #text} takes them for UTF-8.
 */
final class RespClient implements AutoCloseable {
    static final String NOTHING = "(nil)";

    /** Longer than a test pauses a server, shorter than anybody waits for a build that hangs. */
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final InputStream replies;

    private RespClient(Socket socket) throws IOException {
        this.socket = socket;
        this.replies = new BufferedInputStream(socket.getInputStream());
    }

    static RespClient connect(SocketFactory sockets, int port) {
        try {
            Socket socket = sockets.createSocket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            if (socket instanceof SSLSocket tls) {
                SSLParameters parameters = tls.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                tls.setSSLParameters(parameters);
            }
            return new RespClient(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The reply, a line for each of its parts. */
    String text(String... words) {
        List<String> reply = ask(Stream.of(words).map(RespClient::toBytes).toList());
        return new String(String.join("\n", reply).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** The parts of the reply in their order, however deep they were. */
    List<String> ask(List<String> words) {
        try {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            write(request, "*" + words.size());
            for (String word : words) {
                write(request, "$" + word.length());
                write(request, word);
            }
            socket.getOutputStream().write(request.toByteArray());
            List<String> parts = new ArrayList<>();
            read(parts);
            return parts;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What stands behind a name in a reply of lines such as {@code name:value}, empty if the name is not there. */
    static String value(String reply, String name) {
        return reply.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(List<String> parts) throws IOException {
        int type = replies.read();
        String line = line();
        switch (type) {
            case '+', ':' -> parts.add(line);
            case '-' -> throw new IllegalStateException(line);
            case '$' -> parts.add(bulk(Integer.parseInt(line)));
            case '*' -> {
                int size = Integer.parseInt(line);
                if (size < 0) {
                    parts.add(NOTHING);
                }
                for (int i = 0; i < size; i++) {
                    read(parts);
                }
            }
            default -> throw new IOException("this is no reply of Redis: " + (char) type + line);
        }
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return NOTHING;
        }
        byte[] bytes = replies.readNBytes(length);
        line();
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int next;
        while ((next = replies.read()) != '\n') {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.append((char) next);
        }
        line.setLength(Math.max(0, line.length() - 1));
        return line.toString();
    }

    private static String toBytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static void write(ByteArrayOutputStream request, String line) {
        request.writeBytes((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }
}
