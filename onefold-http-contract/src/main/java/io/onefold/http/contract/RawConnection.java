package io.onefold.http.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A connection on which every byte is ours. */
final class RawConnection implements AutoCloseable {
    private static final String PATIENCE = "onefold.contract.patience";
    private static final int USUAL_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;
    private boolean inChunk;

    private RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    static RawConnection to(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(Integer.getInteger(PATIENCE, USUAL_MILLIS));
        socket.setTcpNoDelay(true);
        return new RawConnection(socket);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    void send(String text) throws IOException {
        send(text.getBytes(ISO_8859_1));
    }

    /**
     * Sends a request. An adapter may respond and close the connection before it has read all of a large body; then its
     * response counts.
     */
    void send(RawRequest request) throws IOException {
        send(request.head());
        try {
            send(request.content());
        } catch (IOException e) {
            if (request.content().length < 1 << 20) {
                throw e;
            }
        }
    }

    /** Resets the connection, so that the other side notices it, whatever it still sends. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    ReceivedResponse read(String method) throws IOException {
        List<Integer> interim = new ArrayList<>();
        while (true) {
            String line = line();
            int status = Integer.parseInt(line.substring(9, 12));
            List<HeaderLine> headers = lines();
            if (status >= 100 && status < 200) {
                interim.add(status);
                continue;
            }
            List<HeaderLine> trailers = new ArrayList<>();
            boolean none = method.equals("HEAD") || status == 204 || status == 304;
            byte[] body = none ? new byte[0] : body(headers, trailers);
            return new ReceivedResponse(status, headers, body, trailers, interim);
        }
    }

    /** The next status line and headers alone, whatever comes after. */
    ReceivedResponse readHead() throws IOException {
        String line = line();
        return new ReceivedResponse(
                Integer.parseInt(line.substring(9, 12)), lines(), new byte[0], List.of(), List.of());
    }

    /** The next chunk of a body in chunks; empty at its end. The line that ends a chunk may come with the next one only. */
    byte[] chunk() throws IOException {
        if (inChunk) {
            line();
        }
        String size = line();
        int end = size.indexOf(';');
        byte[] bytes = exactly(Integer.parseInt((end < 0 ? size : size.substring(0, end)).trim(), 16));
        inChunk = bytes.length > 0;
        return bytes;
    }

    /** The body that follows a head, to its end. */
    byte[] readBody(ReceivedResponse head) throws IOException {
        return body(head.headers(), new ArrayList<>());
    }

    private byte[] body(List<HeaderLine> headers, List<HeaderLine> trailers) throws IOException {
        for (HeaderLine header : headers) {
            if (header.name().equalsIgnoreCase("Content-Length")) {
                return exactly(Integer.parseInt(header.value()));
            }
            if (header.name().equalsIgnoreCase("Transfer-Encoding")) {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                for (byte[] next = chunk(); next.length > 0; next = chunk()) {
                    all.writeBytes(next);
                }
                trailers.addAll(lines());
                return all.toByteArray();
            }
        }
        return in.readAllBytes();
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer ends after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private List<HeaderLine> lines() throws IOException {
        List<HeaderLine> lines = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            lines.add(new HeaderLine(
                    line.substring(0, colon), line.substring(colon + 1).trim()));
        }
        return lines;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next;
        while ((next = in.read()) != '\n') {
            if (next < 0) {
                throw new EOFException("hung up after \"" + line.toString(ISO_8859_1) + "\"");
            }
            line.write(next);
        }
        String text = line.toString(ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
