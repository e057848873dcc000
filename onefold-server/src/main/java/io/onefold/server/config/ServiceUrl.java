package io.onefold.server.config;

import java.net.URI;

/** The address of a service: http or https, without user information and fragment. */
final class ServiceUrl {
    private ServiceUrl() {}

    static URI checked(String text) {
        URI uri = URI.create(text.trim());
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("\"" + text + "\" is not an address such as http://localhost:9000");
        }
        return uri;
    }

    /** Parses a base address, to which the paths of all requests are appended. */
    static URI base(String text) {
        URI uri = checked(text);
        if (uri.getRawQuery() != null) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" has a query, but every request has its own: say no more than a path");
        }
        return uri;
    }
}
