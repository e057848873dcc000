package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.onefold.http.contract.Business;
import io.onefold.http.contract.Call;
import io.onefold.http.contract.Exit;
import io.onefold.http.contract.Line;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;

/** The business of the contract as a service of its own. What it throws is a connection that ends without an answer. */
final class BusinessService implements Service.Behaviour {
    private final Business business;

    BusinessService(Business business) {
        this.business = business;
    }

    @Override
    public boolean onRequest(Message request, Socket socket, int count) throws IOException {
        Answering answering = new Answering(socket.getOutputStream());
        try {
            business.serve(call(request), answering);
        } catch (Exception e) {
            return false;
        }
        return answering.end();
    }

    private static Call call(Message request) {
        String target = request.target();
        int mark = target.indexOf('?');
        List<Line> headers = request.lines().stream().map(BusinessService::line).toList();
        return new Call(
                request.first().substring(0, request.first().indexOf(' ')),
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? null : target.substring(mark + 1),
                headers,
                request.body());
    }

    private static Line line(String text) {
        int colon = text.indexOf(':');
        return new Line(text.substring(0, colon), text.substring(colon + 1).strip());
    }

    private static final class Answering implements Exit {
        private final OutputStream out;
        private List<Line> trailers = List.of();
        private boolean chunked;
        private boolean bodiless;

        Answering(OutputStream out) {
            this.out = out;
        }

        @Override
        public void begin(int status, List<Line> headers, List<Line> after) throws IOException {
            trailers = after;
            bodiless = status == 204 || status == 304;
            chunked = !bodiless && headers.stream().noneMatch(line -> line.name().equalsIgnoreCase("Content-Length"));
            StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\n");
            headers.forEach(line -> text.append(line.name()).append(": ").append(line.value()).append("\r\n"));
            text.append(chunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n");
            write(text.toString());
        }

        private void write(String text) throws IOException {
            out.write(text.getBytes(ISO_8859_1));
            out.flush();
        }

        @Override
        public void write(byte[] piece) throws IOException {
            if (piece.length == 0 || bodiless) {
                return;
            }
            if (chunked) {
                write(Integer.toHexString(piece.length) + "\r\n");
            }
            out.write(piece);
            write(chunked ? "\r\n" : "");
        }

        boolean end() throws IOException {
            if (chunked) {
                StringBuilder text = new StringBuilder("0\r\n");
                trailers.forEach(line -> text.append(line.name()).append(": ").append(line.value()).append("\r\n"));
                write(text + "\r\n");
            }
            return true;
        }
    }
}
