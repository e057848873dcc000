package io.onefold.http.contract;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The test service as a servlet, for adapters that are filters. */
public final class TestServiceServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient TestService business;

    public TestServiceServlet(TestService business) {
        this.business = business;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        List<HeaderLine> headers = new ArrayList<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            Collections.list(request.getHeaders(name)).forEach(value -> headers.add(new HeaderLine(name, value)));
        }
        byte[] body = business.read(request.getInputStream());
        ServiceRequest call = new ServiceRequest(
                request.getMethod(), request.getRequestURI(), request.getQueryString(), headers, body);
        try {
            business.serve(call, new ServletResponseSink(response));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    private record ServletResponseSink(HttpServletResponse response) implements ResponseSink {
        /**
         * Sends the status the way Jetty does; other containers have no way. Headers are left out, because they would
         * stay in the final response.
         */
        @Override
        public void interim(int status, List<HeaderLine> headers) throws IOException {
            response.sendError(status);
        }

        @Override
        public void begin(int status, List<HeaderLine> headers, List<HeaderLine> trailers) {
            response.setStatus(status);
            headers.forEach(line -> response.addHeader(line.name(), line.value()));
            if (!trailers.isEmpty()) {
                Map<String, String> fields = new HashMap<>();
                trailers.forEach(line -> fields.put(line.name(), line.value()));
                response.addHeader("Trailer", String.join(", ", fields.keySet()));
                response.setTrailerFields(() -> fields);
            }
        }

        @Override
        public void write(byte[] piece) throws IOException {
            response.getOutputStream().write(piece);
            response.flushBuffer();
        }
    }
}
