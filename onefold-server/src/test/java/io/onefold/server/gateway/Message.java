package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** A request or an answer as it stands on the wire. */
record Message(String first, List<String> lines, byte[] body) {

    /**
     * @param bodiless whether no body follows whatever the headers say
     */
    static Message read(InputStream in, boolean bodiless) throws IOException {
        Message head = head(in);
        return bodiless ? head : head.withBody(in);
    }

    static Message head(InputStream in) throws IOException {
        String first = line(in);
        List<String> lines = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            lines.add(line);
        }
        return new Message(first, lines, new byte[0]);
    }

    Message withBody(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        if (header("Transfer-Encoding").equalsIgnoreCase("chunked")) {
            for (int size = chunk(in); size > 0; size = chunk(in)) {
                body.write(exactly(in, size));
                line(in);
            }
            line(in);
        } else if (!header("Content-Length").isEmpty()) {
            body.write(exactly(in, Integer.parseInt(header("Content-Length"))));
        } else if (first.startsWith("HTTP/")) {
            in.transferTo(body);
        }
        return new Message(first, lines, body.toByteArray());
    }

    private static int chunk(InputStream in) throws IOException {
        return Integer.parseInt(line(in).trim(), 16);
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("cut after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("cut after \"" + line.toString(ISO_8859_1) + "\"");
            }
            line.write(c);
        }
        return line.toString(ISO_8859_1).stripTrailing();
    }

    int status() {
        return Integer.parseInt(first.split(" ", -1)[1]);
    }

    String target() {
        return first.split(" ", -1)[1];
    }

    /** Empty if there is none. */
    String header(String name) {
        List<String> all = headers(name);
        return all.isEmpty() ? "" : all.get(0);
    }

    List<String> headers(String name) {
        return lines.stream()
                .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(line -> line.substring(name.length() + 1).strip())
                .toList();
    }

    String text() {
        return new String(body, UTF_8);
    }

    /** The name of the problem that it tells; empty if it tells none. */
    String problem() {
        String mark = "urn:onefold:problem:";
        int from = text().indexOf(mark);
        return from < 0 ? "" : text().substring(from + mark.length(), text().indexOf('"', from));
    }
}
