package io.onefold.http.servlet;

import io.onefold.http.Answer;
import io.onefold.http.Exchange;
import io.onefold.http.Problem;
import io.onefold.http.RejectedException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the body of a request. Somebody before the filter may have taken it: a form that was read as parameters is written anew, since
 * parameters are all that applications see of it. Nothing else can be had back, and to take what is left for the body would take
 * different requests for the same.
 */
final class Intake {
    private static final Logger LOG = LoggerFactory.getLogger(Intake.class);
    private static final int BUFFER = 8192;

    private final Exchange exchange;
    private final HttpServletRequest request;

    Intake(Exchange exchange, HttpServletRequest request) {
        this.exchange = exchange;
        this.request = request;
    }

    /** Null if the body is read and good. */
    @Nullable
    Answer read() {
        ServletInputStream body;
        try {
            body = request.getInputStream();
        } catch (IllegalStateException e) {
            return taken("by getReader()");
        } catch (IOException | RuntimeException e) {
            return broken(e);
        }
        try {
            return read(body);
        } catch (RejectedException e) {
            return exchange.refused(e);
        } catch (IOException | RuntimeException e) {
            return broken(e);
        }
    }

    private @Nullable Answer read(ServletInputStream body) throws IOException, RejectedException {
        boolean over = isOver(body);
        byte[] buffer = new byte[BUFFER];
        int n = body.read(buffer);
        if (n < 0 && Form.is(request)) {
            byte[] form = Form.written(request);
            if (form.length > 0) {
                exchange.spool().writeInstead(form);
                return null;
            }
        }
        long count = 0;
        for (; n >= 0; n = body.read(buffer)) {
            exchange.spool().write(buffer, 0, n);
            count += n;
        }
        // if it had broken off, the container would have thrown
        boolean missing = count < request.getContentLengthLong();
        return missing || (over && count == 0) ? taken("by getInputStream() or as parts") : null;
    }

    /** Whether nothing is left of a body whose length was not told. */
    private boolean isOver(ServletInputStream body) {
        try {
            return request.getHeader("Transfer-Encoding") != null && body.isFinished();
        } catch (RuntimeException e) {
            return false; // some that wrap a stream do not care to know
        }
    }

    private Answer taken(String how) {
        LOG.error(
                "The body of {} {} was read before IdempotencyFilter could, {}. Requests with a key are refused until the"
                        + " filter stands before whatever reads bodies, or that hands on a request whose body can be read again"
                        + " (HttpServletRequestWrapper).",
                request.getMethod(),
                request.getServletPath(),
                how);
        return exchange.refused(new RejectedException(
                Problem.Type.MISCONFIGURED, "The body was read by somebody else before it could be looked at."));
    }

    /** Containers throw all kinds of things when a body breaks off, is framed wrongly or comes too slowly. */
    private Answer broken(Exception e) {
        LOG.debug("a body could not be read to its end", e);
        return exchange.refused(new RejectedException(
                Problem.Type.BODY_INVALID, "It ended too early, was framed wrongly, or came too slowly."));
    }
}
