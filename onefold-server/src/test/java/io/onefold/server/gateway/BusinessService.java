package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.http.contract.HeaderLine;
import io.onefold.http.contract.ResponseSink;
import io.onefold.http.contract.ServiceRequest;
import io.onefold.http.contract.TestService;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** The business as a service of its own, which writes its bytes itself: no library repairs what a hostile one would send. */
record BusinessService(TestService business) implements Service.Behaviour {

    @Override
    public boolean onRequest(Message request, Socket socket, int count) throws IOException {
        String[] first = request.first().split(" ", -1);
        int query = first[1].indexOf('?');
        List<HeaderLine> headers = new ArrayList<>();
        for (String line : request.lines()) {
            int colon = line.indexOf(':');
            headers.add(new HeaderLine(
                    line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        ServiceRequest call = new ServiceRequest(
                first[0],
                query < 0 ? first[1] : first[1].substring(0, query),
                query < 0 ? null : first[1].substring(query + 1),
                headers,
                request.body());
        SocketExit exit = new SocketExit(socket.getOutputStream(), first[0].equals("HEAD"));
        try {
            business.serve(call, exit);
        } catch (Exception e) {
            // a service that breaks down says nothing
            return false;
        }
        exit.end();
        return true;
    }

    @Override
    public InputStream watching(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read(byte[] bytes, int from, int most) throws IOException {
                int count = super.read(bytes, from, most);
                business.arrived(count);
                return count;
            }
        };
    }

    private static final class SocketExit implements ResponseSink {
        private final OutputStream out;
        private boolean bodiless;
        private List<HeaderLine> trailers = List.of();

        SocketExit(OutputStream out, boolean bodiless) {
            this.out = out;
            this.bodiless = bodiless;
        }

        @Override
        public void interim(int status, List<HeaderLine> headers) throws IOException {
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Early\r\n");
            headers.forEach(line -> head.append(line.name() + ": " + line.value() + "\r\n"));
            send(head + "\r\n");
        }

        @Override
        public void begin(int status, List<HeaderLine> headers, List<HeaderLine> last) throws IOException {
            trailers = last;
            bodiless |= status == 204 || status == 304;
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\n");
            // what a value has of line breaks is folded: each stands for one line of the message, as it was in old
            // times
            headers.forEach(
                    line -> head.append(line.name() + ": " + line.value().replaceAll("\r?\n", "\r\n ") + "\r\n"));
            if (!trailers.isEmpty()) {
                head.append("Trailer: "
                        + String.join(
                                ", ", trailers.stream().map(HeaderLine::name).toList()) + "\r\n");
            }
            if (!bodiless) {
                head.append("Transfer-Encoding: chunked\r\n");
            }
            send(head + "\r\n");
        }

        @Override
        public void write(byte[] piece) throws IOException {
            if (!bodiless && piece.length > 0) {
                out.write((Integer.toHexString(piece.length) + "\r\n").getBytes(US_ASCII));
                out.write(piece);
                send("\r\n");
            }
        }

        void end() throws IOException {
            if (!bodiless) {
                StringBuilder tail = new StringBuilder("0\r\n");
                trailers.forEach(line -> tail.append(line.name() + ": " + line.value() + "\r\n"));
                send(tail + "\r\n");
            }
        }

        private void send(String text) throws IOException {
            out.write(text.getBytes(UTF_8));
            out.flush();
        }
    }
}
