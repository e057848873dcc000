package io.onefold.http.servlet;

import io.onefold.http.HeaderField;
import io.onefold.http.OutgoingResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends answers. A client that has gone is no reason to fail: what it asked for is recorded. */
final class ServletResponseSender {
    private static final Logger LOG = LoggerFactory.getLogger(ServletResponseSender.class);

    private ServletResponseSender() {}

    static void send(OutgoingResponse answer, HttpServletResponse response) {
        if (answer.sent() || response.isCommitted()) {
            return;
        }
        response.setStatus(answer.status());
        for (HeaderField field : answer.headers()) {
            if (field.name().equalsIgnoreCase("Content-Type")) {
                response.setContentType(field.value());
            } else if (!response.getHeaders(field.name()).contains(field.value())) {
                response.addHeader(field.name(), field.value());
            }
        }
        boolean bodiless = answer.status() == 204 || answer.status() == 304 || answer.status() < 200;
        try {
            if (!bodiless) {
                response.setContentLength(answer.body().length);
                response.getOutputStream().write(answer.body());
            }
            response.flushBuffer();
        } catch (IOException e) {
            LOG.debug("the client has gone before its answer", e);
        }
    }
}
