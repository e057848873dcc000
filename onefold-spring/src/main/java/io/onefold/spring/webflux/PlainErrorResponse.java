package io.onefold.spring.webflux;

import io.onefold.NotExecutedException;
import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.ErrorResponse;
import reactor.core.Exceptions;

/** The response to an error that no handler renders, with the error's own status, if it has one. */
final class PlainErrorResponse {
    private static final Logger LOG = LoggerFactory.getLogger(PlainErrorResponse.class);

    private PlainErrorResponse() {}

    static HandlerResponse of(Throwable error, ServerHttpRequest request) {
        Throwable thrown = Exceptions.unwrap(error);
        int status = 500;
        List<HeaderField> fields = new ArrayList<>();
        if (thrown instanceof ErrorResponse said) {
            status = said.getStatusCode().value();
            fields.addAll(HeaderLines.of(said.getHeaders()).toFields());
        } else if (!(thrown instanceof NotExecutedException)) {
            LOG.error("{} {} has failed", request.getMethod(), request.getPath(), thrown);
        }
        fields.add(new HeaderField(HttpHeaders.CONTENT_TYPE, "application/problem+json"));
        String body = "{\"type\":\"about:blank\",\"status\":" + status + "}";
        return HandlerResponse.of(status, fields, body.getBytes(StandardCharsets.UTF_8));
    }
}
