package io.onefold.http.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Holds the state of a response at the time when its container released it, and all later changes. Nothing here reaches
 * a client. But the application may still be running, and its response is recorded. A part that was sent cannot be
 * changed here either.
 */
final class DetachedResponse implements HttpServletResponse {
    private static final Pattern CHARSET = Pattern.compile("(?i)\\s*;\\s*charset\\s*=");

    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final boolean committed;
    private int status;
    private @Nullable String type;
    private @Nullable String encoding;
    private Locale locale;
    private int bufferSize;

    DetachedResponse(HttpServletResponse container) {
        for (String name : container.getHeaderNames()) {
            if (!name.equalsIgnoreCase("Content-Type")) {
                headers.put(name, new ArrayList<>(container.getHeaders(name)));
            }
        }
        committed = container.isCommitted();
        status = container.getStatus();
        type = container.getContentType();
        encoding = container.getCharacterEncoding();
        locale = container.getLocale();
        bufferSize = container.getBufferSize();
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void setStatus(int status) {
        if (!committed) {
            this.status = status;
        }
    }

    @Override
    public boolean containsHeader(String name) {
        return headers.containsKey(name);
    }

    @Override
    public @Nullable String getHeader(String name) {
        List<String> values = headers.get(name);
        return values == null ? null : values.get(0);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return List.copyOf(headers.getOrDefault(name, List.of()));
    }

    @Override
    public Collection<String> getHeaderNames() {
        return List.copyOf(headers.keySet());
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (!committed) {
            headers.remove(name);
        }
        addHeader(name, value);
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (name.equalsIgnoreCase("Content-Type")) {
            setContentType(value);
        } else if (value != null && !committed) {
            headers.computeIfAbsent(name, same -> new ArrayList<>()).add(value);
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

    @Override
    public void setDateHeader(String name, long date) {
        setHeader(name, written(date));
    }

    @Override
    public void addDateHeader(String name, long date) {
        addHeader(name, written(date));
    }

    private static String written(long date) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Instant.ofEpochMilli(date).atOffset(ZoneOffset.UTC));
    }

    @Override
    public @Nullable String getContentType() {
        return type;
    }

    @Override
    public void setContentType(@Nullable String type) {
        if (committed) {
            return;
        }
        this.type = type;
        String[] parts = type == null ? new String[0] : CHARSET.split(type, 2);
        if (parts.length == 2) {
            encoding = parts[1].replace("\"", "").strip();
        }
    }

    @Override
    public @Nullable String getCharacterEncoding() {
        return encoding;
    }

    @Override
    public void setCharacterEncoding(@Nullable String encoding) {
        if (committed) {
            return;
        }
        this.encoding = encoding;
        if (type != null && encoding != null) {
            type = CHARSET.split(type, 2)[0] + ";charset=" + encoding;
        }
    }

    @Override
    public Locale getLocale() {
        return locale;
    }

    @Override
    public void setLocale(Locale locale) {
        this.locale = locale;
        setHeader("Content-Language", locale.toLanguageTag());
    }

    @Override
    public int getBufferSize() {
        return bufferSize;
    }

    @Override
    public void setBufferSize(int bytes) {
        bufferSize = bytes;
    }

    @Override
    public boolean isCommitted() {
        return committed;
    }

    @Override
    public void reset() {
        headers.clear();
        status = SC_OK;
        type = null;
    }

    /** Cookies are for one client, which is gone. */
    @Override
    public void addCookie(Cookie cookie) {}

    @Override
    public String encodeURL(String url) {
        return url;
    }

    @Override
    public String encodeRedirectURL(String url) {
        return url;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        throw nobody();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        throw nobody();
    }

    @Override
    public void flushBuffer() throws IOException {
        throw nobody();
    }

    private static IOException nobody() {
        return new IOException("nobody listens any more");
    }

    // the rest is the business of the response that is held

    @Override
    public void sendError(int status, @Nullable String message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void sendError(int status) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resetBuffer() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setContentLength(int bytes) {}

    @Override
    public void setContentLengthLong(long bytes) {}
}
