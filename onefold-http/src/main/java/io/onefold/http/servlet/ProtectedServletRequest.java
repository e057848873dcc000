package io.onefold.http.servlet;

import io.onefold.http.BufferedBody;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The request as the application sees it: its body was read before, so what the container makes of bodies is made here. */
final class ProtectedServletRequest extends HttpServletRequestWrapper {
    private static final int MAX_FORM = 10 << 20;

    private final ServletExchange held;
    private final ServletInvocation running;
    private final ProtectedServletResponse response;
    private final BufferedBody body;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private @Nullable Map<String, String[]> parameters;
    private @Nullable List<Part> parts;
    private @Nullable ProtectedAsyncContext async;
    private volatile @Nullable Object begun;
    private volatile @Nullable Object unfinished;

    ProtectedServletRequest(
            ServletExchange held,
            ServletInvocation running,
            HttpServletRequest request,
            ProtectedServletResponse response,
            BufferedBody body) {
        super(request);
        this.held = held;
        this.running = running;
        this.response = response;
        this.body = body;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (reader != null) {
            throw new IllegalStateException("getReader() was called before");
        }
        if (stream == null) {
            stream = new BodyInputStream(body.open(), body.length());
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (stream != null) {
            throw new IllegalStateException("getInputStream() was called before");
        }
        if (reader == null) {
            reader = new BufferedReader(new InputStreamReader(body.open(), FormParameters.readerCharset(this)));
        }
        return reader;
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterMap().get(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        String[] values = getParameterMap().get(name);
        return values == null ? null : values.clone();
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        if (parameters == null) {
            parameters = Collections.unmodifiableMap(read());
        }
        return parameters;
    }

    /** Reads the parameters; those of the query come first. */
    private Map<String, String[]> read() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        String query = getQueryString();
        if (query != null) {
            FormParameters.read(query, StandardCharsets.UTF_8, all);
        }
        Charset charset = FormParameters.charset(this);
        try {
            if (FormParameters.is(this) && stream == null && reader == null && body.length() <= MAX_FORM) {
                FormParameters.read(new String(body.open().readAllBytes(), StandardCharsets.ISO_8859_1), charset, all);
            } else if (FormParameters.mediaType(this).equals("multipart/form-data")) {
                for (Part part : getParts()) {
                    if (part.getSubmittedFileName() == null) {
                        String value = new String(part.getInputStream().readAllBytes(), charset);
                        all.computeIfAbsent(part.getName(), same -> new ArrayList<>())
                                .add(value);
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the body cannot be read again", e);
        }
        Map<String, String[]> arrays = new LinkedHashMap<>();
        all.forEach((name, values) -> arrays.put(name, values.toArray(new String[0])));
        return arrays;
    }

    /** Not what was announced, where the body was written anew. */
    @Override
    public long getContentLengthLong() {
        return super.getContentLengthLong() < 0 ? -1 : body.length();
    }

    @Override
    public int getContentLength() {
        long length = getContentLengthLong();
        return length > Integer.MAX_VALUE ? -1 : (int) length;
    }

    @Override
    public Collection<Part> getParts() throws IOException {
        if (parts == null) {
            parts = ProtectedServletPart.of(body);
        }
        return parts;
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException {
        for (Part part : getParts()) {
            if (part.getName().equals(name)) {
                return part;
            }
        }
        return null;
    }

    /**
     * Sets an attribute. Two facts are kept here, because they are set and read after the container has released its
     * request: whether the handler has begun, and whether it is still running.
     */
    @Override
    public void setAttribute(String name, @Nullable Object value) {
        if (name.equals(IdempotencyFilter.BEGUN)) {
            begun = value;
        } else if (name.equals(IdempotencyFilter.UNFINISHED)) {
            unfinished = value;
        } else {
            super.setAttribute(name, value);
        }
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        if (name.equals(IdempotencyFilter.BEGUN)) {
            return begun;
        }
        return name.equals(IdempotencyFilter.UNFINISHED) ? unfinished : super.getAttribute(name);
    }

    @Override
    public AsyncContext startAsync() {
        return startAsync(this, response);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, @Nullable ServletResponse given) {
        AsyncContext real = super.startAsync(request, given);
        held.started(real);
        async = new ProtectedAsyncContext(held, running, real, request, given == null ? real.getResponse() : given);
        return async;
    }

    void completed() {
        if (async != null) {
            async.tellCompletion();
        }
    }

    @Override
    public AsyncContext getAsyncContext() {
        return async == null ? super.getAsyncContext() : async;
    }
}
