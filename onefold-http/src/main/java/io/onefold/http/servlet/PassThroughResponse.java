package io.onefold.http.servlet;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A response that passes calls to the container's response unchanged. It is not a wrapper by type: after a forward
 * Tomcat looks through wrappers for its own response and closes it, and the response would be lost.
 *
 * <p>The container may release its response while the application is running on another thread. Calls after that go to
 * a {@link DetachedResponse}. The lock is for the moment in between.
 */
abstract class PassThroughResponse implements HttpServletResponse {
    volatile HttpServletResponse real;

    PassThroughResponse(HttpServletResponse real) {
        this.real = real;
    }

    /** From now on it goes here: filters before this one may give another response to each dispatch. */
    final synchronized void to(HttpServletResponse response) {
        real = response;
    }

    /** The container's response is about to be used for another request. */
    final synchronized void detach() {
        real = new DetachedResponse(real);
    }

    @Override
    public synchronized @Nullable String getCharacterEncoding() {
        return real.getCharacterEncoding();
    }

    @Override
    public synchronized @Nullable String getContentType() {
        return real.getContentType();
    }

    @Override
    public synchronized void setCharacterEncoding(@Nullable String encoding) {
        real.setCharacterEncoding(encoding);
    }

    @Override
    public synchronized void setContentType(@Nullable String type) {
        real.setContentType(type);
    }

    @Override
    public synchronized void setBufferSize(int bytes) {
        real.setBufferSize(bytes);
    }

    @Override
    public synchronized int getBufferSize() {
        return real.getBufferSize();
    }

    @Override
    public synchronized void setLocale(Locale locale) {
        real.setLocale(locale);
    }

    @Override
    public synchronized Locale getLocale() {
        return real.getLocale();
    }

    @Override
    public synchronized void addCookie(Cookie cookie) {
        real.addCookie(cookie);
    }

    @Override
    public synchronized boolean containsHeader(String name) {
        return real.containsHeader(name);
    }

    @Override
    public synchronized String encodeURL(String url) {
        return real.encodeURL(url);
    }

    @Override
    public synchronized String encodeRedirectURL(String url) {
        return real.encodeRedirectURL(url);
    }

    @Override
    public synchronized void setDateHeader(String name, long date) {
        real.setDateHeader(name, date);
    }

    @Override
    public synchronized void addDateHeader(String name, long date) {
        real.addDateHeader(name, date);
    }

    @Override
    public synchronized void setStatus(int status) {
        real.setStatus(status);
    }

    @Override
    public synchronized int getStatus() {
        return real.getStatus();
    }

    @Override
    public synchronized @Nullable String getHeader(String name) {
        return real.getHeader(name);
    }

    @Override
    public synchronized Collection<String> getHeaders(String name) {
        return real.getHeaders(name);
    }

    @Override
    public synchronized Collection<String> getHeaderNames() {
        return real.getHeaderNames();
    }

    @Override
    public synchronized void setTrailerFields(Supplier<Map<String, String>> trailers) {
        real.setTrailerFields(trailers);
    }

    @Override
    public synchronized @Nullable Supplier<Map<String, String>> getTrailerFields() {
        return real.getTrailerFields();
    }
}
