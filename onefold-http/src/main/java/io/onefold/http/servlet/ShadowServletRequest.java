package io.onefold.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The container's request; what the application reads of its body is looked at as it passes. */
final class ShadowServletRequest extends HttpServletRequestWrapper {
    private final ShadowServletExchange observed;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;

    ShadowServletRequest(HttpServletRequest request, ShadowServletExchange observed) {
        super(request);
        this.observed = observed;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (reader != null) {
            throw new IllegalStateException("getReader() was called before");
        }
        return stream();
    }

    private ServletInputStream stream() throws IOException {
        if (stream == null) {
            stream = new ShadowInputStream(super.getInputStream(), observed.observation());
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (reader == null) {
            if (stream != null) {
                throw new IllegalStateException("getInputStream() was called before");
            }
            reader = new BufferedReader(new InputStreamReader(stream(), FormParameters.readerCharset(this)));
        }
        return reader;
    }

    @Override
    public @Nullable String getParameter(String name) {
        observed.asked();
        return super.getParameter(name);
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        observed.asked();
        return super.getParameterValues(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        observed.asked();
        return super.getParameterNames();
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        observed.asked();
        return super.getParameterMap();
    }

    @Override
    public AsyncContext startAsync() {
        return watched(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return watched(super.startAsync(request, response));
    }

    private AsyncContext watched(AsyncContext context) {
        context.addListener(observed);
        observed.started();
        return context;
    }
}
