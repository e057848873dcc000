package io.onefold.spring.boot;

import io.onefold.http.contract.HeaderLine;
import io.onefold.http.contract.ResponseSink;
import io.onefold.http.contract.ServiceRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;

/** The business as handlers of Spring MVC: what it answers is returned, but for streams, which are written as they come. */
@RestController
final class BusinessController {
    private final Stage stage;

    BusinessController(Stage stage) {
        this.stage = stage;
    }

    @PostMapping("/**")
    @Nullable
    ResponseEntity<byte[]> post(
            HttpServletRequest request,
            HttpServletResponse response,
            @RequestBody(required = false) byte @Nullable [] body)
            throws Exception {
        return answer(stage, request, response, body, false);
    }

    @PatchMapping("/**")
    @Nullable
    ResponseEntity<byte[]> patch(
            HttpServletRequest request,
            HttpServletResponse response,
            @RequestBody(required = false) byte @Nullable [] body)
            throws Exception {
        return answer(stage, request, response, body, false);
    }

    @PutMapping("/**")
    @Nullable
    ResponseEntity<byte[]> put(
            HttpServletRequest request,
            HttpServletResponse response,
            @RequestBody(required = false) byte @Nullable [] body)
            throws Exception {
        return answer(stage, request, response, body, false);
    }

    @DeleteMapping("/**")
    @Nullable
    ResponseEntity<byte[]> delete(
            HttpServletRequest request,
            HttpServletResponse response,
            @RequestBody(required = false) byte @Nullable [] body)
            throws Exception {
        return answer(stage, request, response, body, false);
    }

    @GetMapping("/**")
    @Nullable
    ResponseEntity<byte[]> get(HttpServletRequest request, HttpServletResponse response) throws Exception {
        return answer(stage, request, response, null, false);
    }

    @RequestMapping(path = "/**", method = RequestMethod.OPTIONS)
    @Nullable
    ResponseEntity<byte[]> options(HttpServletRequest request, HttpServletResponse response) throws Exception {
        return answer(stage, request, response, null, false);
    }

    /** @param throwing whether the answers to exceptions are those of exceptions */
    static @Nullable ResponseEntity<byte[]> answer(
            Stage stage,
            HttpServletRequest request,
            HttpServletResponse response,
            byte @Nullable [] body,
            boolean throwing)
            throws Exception {
        List<HeaderLine> headers = new ArrayList<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            Collections.list(request.getHeaders(name)).forEach(value -> headers.add(new HeaderLine(name, value)));
        }
        Returning exit = new Returning(response, throwing);
        stage.business()
                .serve(
                        new ServiceRequest(
                                request.getMethod(),
                                request.getRequestURI(),
                                request.getQueryString(),
                                headers,
                                body == null ? new byte[0] : body),
                        exit);
        return exit.entity();
    }

    private static final class Returning implements ResponseSink {
        private final HttpServletResponse response;
        private final HttpHeaders headers = new HttpHeaders();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int status;
        private final boolean throwing;
        private boolean streaming;

        Returning(HttpServletResponse response, boolean throwing) {
            this.response = response;
            this.throwing = throwing;
        }

        /** As Jetty has it; other containers have no way. Headers would stay for the answer. */
        @Override
        public void interim(int early, List<HeaderLine> lines) throws IOException {
            response.sendError(early);
        }

        @Override
        public void begin(int chosen, List<HeaderLine> lines, List<HeaderLine> trailers) {
            status = chosen;
            lines.forEach(line -> headers.add(line.name(), line.value()));
            if (!trailers.isEmpty()) {
                Map<String, String> fields = new HashMap<>();
                trailers.forEach(line -> fields.put(line.name(), line.value()));
                headers.add("Trailer", String.join(", ", fields.keySet()));
                response.setTrailerFields(() -> fields);
            }
            if (String.valueOf(headers.getFirst("Content-Type")).startsWith("text/event-stream")) {
                streaming = true;
                response.setStatus(status);
                lines.forEach(line -> response.addHeader(line.name(), line.value()));
            }
        }

        @Override
        public void write(byte[] piece) throws IOException {
            if (streaming) {
                response.getOutputStream().write(piece);
                response.flushBuffer();
            } else {
                body.write(piece);
            }
        }

        @Override
        public void thrown() {
            if (throwing) {
                throw new RefusedException(entity());
            }
        }

        @Nullable
        ResponseEntity<byte[]> entity() {
            return streaming
                    ? null
                    : ResponseEntity.status(status).headers(headers).body(body.size() == 0 ? null : body.toByteArray());
        }
    }

    /** What the business has refused by throwing; the application answers it. */
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient @Nullable ResponseEntity<byte[]> answer;

        RefusedException(@Nullable ResponseEntity<byte[]> answer) {
            this.answer = answer;
        }

        @Nullable
        ResponseEntity<byte[]> answer() {
            return answer;
        }
    }
}
