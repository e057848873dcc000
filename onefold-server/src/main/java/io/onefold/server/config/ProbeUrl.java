package io.onefold.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLEncoder;

/**
 * The address that tells the outcome of a request by its key:
 * <code>http://localhost:9000/charges/by-key?key={key}</code>. The key is part of the query: in a path, a key such as
 * {@code ..} would lead elsewhere, however it is encoded.
 *
 * @param said the text as written, without values from the environment
 * @param where its place in the configuration
 */
public record ProbeUrl(String template, String said, String where) {
    private static final String KEY = "{key}";

    static ProbeUrl parse(String text, String said, String where) {
        ProbeUrl address = new ProbeUrl(text.trim(), said, where);
        URI one = ServiceUrl.checked(address.filled("a"));
        if (address.template.equals(address.filled("a"))) {
            throw new IllegalArgumentException("\"" + text + "\" has no " + KEY + " in it, such as ?key=" + KEY);
        }
        URI other = ServiceUrl.checked(address.filled("b"));
        if (!one.getRawAuthority().equals(other.getRawAuthority())) {
            throw misplaced(text, "host");
        }
        if (!one.getRawPath().equals(other.getRawPath())) {
            throw misplaced(text, "path");
        }
        return address;
    }

    private static IllegalArgumentException misplaced(String text, String part) {
        return new IllegalArgumentException(
                "\"" + text + "\" lets a key choose the " + part + "; it may stand in the query, such as ?key=" + KEY);
    }

    public URI of(String key) {
        return URI.create(filled(URLEncoder.encode(key, UTF_8).replace("+", "%20")));
    }

    private String filled(String encoded) {
        return template.replace(KEY, encoded);
    }

    @Override
    public String toString() {
        return said;
    }
}
