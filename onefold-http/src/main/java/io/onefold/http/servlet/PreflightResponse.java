package io.onefold.http.servlet;

import io.onefold.http.PreflightHeaders;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/** Allows keys in the answer to a preflight; whatever else is allowed is the application's word. */
final class PreflightResponse extends HttpServletResponseWrapper {
    private final PreflightHeaders preflight;

    PreflightResponse(HttpServletResponse real, PreflightHeaders preflight) {
        super(real);
        this.preflight = preflight;
    }

    @Override
    public void setHeader(String name, String value) {
        super.setHeader(name, allowing(name, value));
        allowKeys(name);
    }

    @Override
    public void addHeader(String name, String value) {
        String before = PreflightHeaders.ALLOW_HEADERS.equalsIgnoreCase(name) ? getHeader(name) : null;
        if (before == null) {
            super.addHeader(name, allowing(name, value));
        } else {
            super.setHeader(name, allowing(name, before + ", " + value));
        }
        allowKeys(name);
    }

    private String allowing(String name, String value) {
        return PreflightHeaders.ALLOW_HEADERS.equalsIgnoreCase(name) ? preflight.allowing(value) : value;
    }

    /** An application that allows no header need not say so. */
    private void allowKeys(String name) {
        if (PreflightHeaders.ALLOW_ORIGIN.equalsIgnoreCase(name) && !containsHeader(PreflightHeaders.ALLOW_HEADERS)) {
            super.setHeader(PreflightHeaders.ALLOW_HEADERS, preflight.allowing(null));
        }
    }
}
