package io.onefold.http.servlet;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What passes to the container's response unchanged. It is not a wrapper by type: after a forward Tomcat looks through wrappers for its
 * own response and closes it, and the answer would be lost.
 */
abstract class PassingResponse implements HttpServletResponse {
    HttpServletResponse real;

    PassingResponse(HttpServletResponse real) {
        this.real = real;
    }

    @Override
    public @Nullable String getCharacterEncoding() {
        return real.getCharacterEncoding();
    }

    @Override
    public @Nullable String getContentType() {
        return real.getContentType();
    }

    @Override
    public void setCharacterEncoding(@Nullable String encoding) {
        real.setCharacterEncoding(encoding);
    }

    @Override
    public void setContentType(@Nullable String type) {
        real.setContentType(type);
    }

    @Override
    public void setBufferSize(int bytes) {
        real.setBufferSize(bytes);
    }

    @Override
    public int getBufferSize() {
        return real.getBufferSize();
    }

    @Override
    public void setLocale(Locale locale) {
        real.setLocale(locale);
    }

    @Override
    public Locale getLocale() {
        return real.getLocale();
    }

    @Override
    public void addCookie(Cookie cookie) {
        real.addCookie(cookie);
    }

    @Override
    public boolean containsHeader(String name) {
        return real.containsHeader(name);
    }

    @Override
    public String encodeURL(String url) {
        return real.encodeURL(url);
    }

    @Override
    public String encodeRedirectURL(String url) {
        return real.encodeRedirectURL(url);
    }

    @Override
    public void setDateHeader(String name, long date) {
        real.setDateHeader(name, date);
    }

    @Override
    public void addDateHeader(String name, long date) {
        real.addDateHeader(name, date);
    }

    @Override
    public void setStatus(int status) {
        real.setStatus(status);
    }

    @Override
    public int getStatus() {
        return real.getStatus();
    }

    @Override
    public @Nullable String getHeader(String name) {
        return real.getHeader(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return real.getHeaders(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return real.getHeaderNames();
    }

    @Override
    public void setTrailerFields(Supplier<Map<String, String>> trailers) {
        real.setTrailerFields(trailers);
    }

    @Override
    public @Nullable Supplier<Map<String, String>> getTrailerFields() {
        return real.getTrailerFields();
    }
}
