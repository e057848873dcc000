package io.onefold.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLEncoder;

/** Where to ask what became of a request, by its key: <code>http://localhost:9000/charges/by-key?key={key}</code>. */
public record ProbeAddress(String template) {
    private static final String KEY = "{key}";

    static ProbeAddress parse(String text) {
        ProbeAddress address = new ProbeAddress(text.trim());
        String authority = Service.checked(address.filled("a")).getRawAuthority();
        if (address.template.equals(address.filled("a"))) {
            throw new IllegalArgumentException("\"" + text + "\" has no " + KEY + " in it, such as ?key=" + KEY);
        }
        if (!authority.equals(Service.checked(address.filled("b")).getRawAuthority())) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" lets a key choose the host; it may stand in the path or the query");
        }
        return address;
    }

    public URI of(String key) {
        return URI.create(filled(URLEncoder.encode(key, UTF_8).replace("+", "%20")));
    }

    private String filled(String encoded) {
        return template.replace(KEY, encoded);
    }

    @Override
    public String toString() {
        return template;
    }
}
