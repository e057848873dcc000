package io.onefold.http.servlet;

import io.onefold.http.OutgoingResponse;
import io.onefold.http.Problem;
import io.onefold.http.ProblemException;
import io.onefold.http.ProtectedExchange;
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
final class ServletBodyReader {
    private static final Logger LOG = LoggerFactory.getLogger(ServletBodyReader.class);
    private static final int BUFFER = 8192;

    private final ProtectedExchange exchange;
    private final HttpServletRequest request;

    ServletBodyReader(ProtectedExchange exchange, HttpServletRequest request) {
        this.exchange = exchange;
        this.request = request;
    }

    /** Null if the body is read and good. */
    @Nullable
    OutgoingResponse read() {
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
        } catch (ProblemException e) {
            return exchange.refused(e);
        } catch (IOException | RuntimeException e) {
            return broken(e);
        }
    }

    private @Nullable OutgoingResponse read(ServletInputStream body) throws IOException, ProblemException {
        boolean over = isOver(body);
        byte[] buffer = new byte[BUFFER];
        int n = body.read(buffer);
        if (n < 0 && FormParameters.is(request)) {
            byte[] form = FormParameters.written(request);
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

    /** Returns true if a body of unannounced length has ended. */
    private boolean isOver(ServletInputStream body) {
        try {
            return request.getHeader("Transfer-Encoding") != null && body.isFinished();
        } catch (RuntimeException e) {
            return false; // some that wrap a stream do not care to know
        }
    }

    private OutgoingResponse taken(String how) {
        LOG.error(
                "The body of {} {} was read before IdempotencyFilter could, {}. Requests with a key are refused until the"
                        + " filter stands before whatever reads bodies, or that hands on a request whose body can be read again"
                        + " (HttpServletRequestWrapper).",
                request.getMethod(),
                request.getServletPath(),
                how);
        return exchange.refused(new ProblemException(
                Problem.ProblemType.MISCONFIGURED, "The body was read by somebody else before it could be looked at."));
    }

    /** Containers throw all kinds of things when a body breaks off, is framed wrongly or comes too slowly. */
    private OutgoingResponse broken(Exception e) {
        LOG.debug("a body could not be read to its end", e);
        return exchange.refused(new ProblemException(
                Problem.ProblemType.BODY_INVALID, "It ended too early, was framed wrongly, or came too slowly."));
    }
}
