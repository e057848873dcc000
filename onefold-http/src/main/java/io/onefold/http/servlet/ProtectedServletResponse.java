package io.onefold.http.servlet;

import io.onefold.http.EventStreamType;
import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds an answer back. Status and headers go to the container's response, which is not committed, for as long as there is one; the body
 * is kept here, unless it is too long or has no end: then all goes out, and the rest follows as it comes.
 */
final class ProtectedServletResponse extends PassThroughResponse {
    private static final Logger LOG = LoggerFactory.getLogger(ProtectedServletResponse.class);

    private final IntSupplier maxHeld;
    private final boolean chunks;
    private final Predicate<String> isOurs;
    private final ProtectedResponseReader reader;
    private final List<HeaderField> before = new ArrayList<>(0);
    private final @Nullable String encodingBefore;
    private final DeferredHeaders withheld;
    private ByteArrayOutputStream held = new ByteArrayOutputStream();
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;
    private @Nullable ApplicationError error;
    private volatile boolean gone;
    private boolean clientLeft;

    /**
     * @param maxHeld how much of the body is kept here
     * @param chunks whether the client takes chunks, as one of HTTP/1.1 does
     * @param isOurs which headers are said to the filter, and to no client
     */
    ProtectedServletResponse(
            HttpServletResponse response,
            IntSupplier maxHeld,
            boolean chunks,
            Predicate<String> isOurs,
            ProtectedResponseReader reader) {
        super(response);
        this.reader = reader;
        this.maxHeld = maxHeld;
        this.chunks = chunks;
        this.isOurs = isOurs;
        this.withheld = new DeferredHeaders(isOurs);
        this.encodingBefore = response.getCharacterEncoding();
        for (String name : response.getHeaderNames()) {
            if (!name.equalsIgnoreCase("Content-Type")) {
                response.getHeaders(name).forEach(value -> before.add(new HeaderField(name, value)));
            }
        }
    }

    /** The reader of the response. */
    interface ProtectedResponseReader {
        /** It has left. What is written goes nowhere from now on. */
        void left();

        /**
         * Returns true if the end of the response is not awaited any more, neither by this reader nor for the record.
         */
        boolean isOver();

        /** Headers that go out with an answer that cannot be held back. */
        List<HeaderField> marks();
    }

    /** An error that the application has told of, or thrown. */
    record ApplicationError(
            int status, @Nullable String message, @Nullable Throwable thrown) {}

    @Nullable
    ApplicationError error() {
        return error;
    }

    HandlerResponse produced() {
        if (writer != null) {
            writer.flush();
        }
        return gone
                ? HandlerResponse.sent(getStatus(), fields())
                : HandlerResponse.of(getStatus(), fields(), held.toByteArray());
    }

    private List<HeaderField> fields() {
        List<HeaderField> fields = new ArrayList<>(withheld.internal());
        for (String name : getHeaderNames()) {
            if (!name.equalsIgnoreCase("Content-Type")) {
                getHeaders(name).forEach(value -> fields.add(new HeaderField(name, value)));
            }
        }
        if (!gone) {
            withheld.addTo(fields);
        }
        if (getContentType() != null) {
            fields.add(new HeaderField("Content-Type", getContentType()));
        }
        return fields;
    }

    /**
     * Returns a response that replaces that of the application. The application may go on writing on a thread of its
     * own, but nothing of that is sent from now on. Everything that it has written is removed. Headers of filters
     * before this one stay.
     *
     * @return null if a part of the application's response was sent
     */
    @Nullable
    ProtectedServletResponse instead() {
        HttpServletResponse container;
        synchronized (this) {
            if (gone) {
                return null;
            }
            container = real;
            detach();
        }
        container.reset();
        for (HeaderField field : before) {
            if (!container.getHeaders(field.name()).contains(field.value())) {
                container.addHeader(field.name(), field.value());
            }
        }
        if (!Objects.equals(encodingBefore, container.getCharacterEncoding())) {
            container.setCharacterEncoding(encodingBefore);
        }
        return new ProtectedServletResponse(container, maxHeld, chunks, isOurs, reader);
    }

    /** Another body for an error, with what stood in the headers about the first one gone. */
    void begin(int status) {
        error = null;
        resetBuffer();
        writer = null;
        stream = null;
        real.setStatus(status);
    }

    void plainError(ApplicationError failure) {
        real.setContentType("application/problem+json");
        byte[] body =
                ("{\"type\":\"about:blank\",\"status\":" + failure.status() + "}").getBytes(StandardCharsets.UTF_8);
        held.writeBytes(body);
    }

    /** @throws IOException if it has no end that anybody waits for: the application is to stop */
    void write(byte[] bytes, int from, int count) throws IOException {
        if (error != null) {
            return; // nothing is added to an error
        }
        if (!gone && (endless() || held.size() + (long) count > maxHeld.getAsInt())) {
            letGo();
        }
        if (gone) {
            refuseIfOver();
            toClient(() -> real.getOutputStream().write(bytes, from, count));
        } else {
            held.write(bytes, from, count);
        }
    }

    /** A client that has left is no reason for the application to stop, and neither is a container that has let go of its response. */
    private void toClient(ResponseStep step) {
        if (!clientLeft) {
            try {
                step.take();
            } catch (IOException | RuntimeException e) {
                LOG.debug("the client has left in the middle of its answer", e);
                clientLeft = true;
                reader.left();
            }
        }
    }

    private void refuseIfOver() throws IOException {
        if (clientLeft && reader.isOver()) {
            throw new IOException("the client has left, and the time for this answer is over");
        }
    }

    private interface ResponseStep {
        void take() throws IOException;
    }

    private boolean endless() {
        return EventStreamType.is(getContentType());
    }

    private void letGo() {
        byte[] soFar;
        synchronized (this) {
            gone = true;
            reader.marks().forEach(mark -> real.setHeader(mark.name(), mark.value()));
            withheld.tell(real, chunks);
            soFar = held.toByteArray();
            held = new ByteArrayOutputStream();
        }
        toClient(() -> real.getOutputStream().write(soFar));
    }

    void flush() throws IOException {
        if (!gone && error == null && endless()) {
            letGo();
        }
        if (gone) {
            refuseIfOver();
            toClient(real::flushBuffer);
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        if (writer != null) {
            writer.flush();
        }
        flush();
    }

    @Override
    public boolean isCommitted() {
        return gone || error != null || real.isCommitted();
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (writer != null) {
            throw new IllegalStateException("getWriter() was called before");
        }
        if (stream == null) {
            stream = new ProtectedOutputStream(this);
        }
        return stream;
    }

    @Override
    public PrintWriter getWriter() {
        if (stream != null) {
            throw new IllegalStateException("getOutputStream() was called before");
        }
        if (writer == null) {
            String encoding = getCharacterEncoding();
            real.setCharacterEncoding(encoding); // from now on it is said in the type
            writer =
                    new PrintWriter(new OutputStreamWriter(new ProtectedOutputStream(this), Charset.forName(encoding)));
        }
        return writer;
    }

    @Override
    public void sendError(int status) {
        sendError(status, null);
    }

    @Override
    public void sendError(int status, @Nullable String message) {
        if (status == 102 || status == 103) {
            return; // Jetty's way to say something before the answer, which is not an end
        }
        refuseIfGone();
        error = new ApplicationError(status, message, null);
    }

    @Override
    public void sendRedirect(String location) {
        sendRedirect(location, 302, true);
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        refuseIfGone();
        if (clearBuffer) {
            resetBuffer();
        }
        real.setStatus(status);
        real.setHeader("Location", location);
    }

    private void refuseIfGone() {
        if (isCommitted()) {
            throw new IllegalStateException("the answer went out already");
        }
    }

    @Override
    public void resetBuffer() {
        if (gone) {
            throw new IllegalStateException("the answer went out already");
        }
        held.reset();
        withheld.length(-1);
    }

    @Override
    public void reset() {
        resetBuffer();
        real.reset();
        error = null;
        writer = null;
        stream = null;
        withheld.reset();
    }

    @Override
    public void setContentLength(int bytes) {
        withheld.length(bytes);
    }

    @Override
    public void setContentLengthLong(long bytes) {
        withheld.length(bytes);
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (!withheld.takes(name, value)) {
            real.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (!withheld.takes(name, value)) {
            real.addHeader(name, value);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }
}
