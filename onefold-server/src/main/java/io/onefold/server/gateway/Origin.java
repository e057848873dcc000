package io.onefold.server.gateway;

import io.onefold.http.HeaderNames;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** What the service is told of where a request comes from, and what clients may not tell it. */
final class Origin {
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:\\[\\]_-]+");

    private final Peers peers;
    private final @Nullable String principalHeader;

    /**
     * @param principalHeader by which proxies in front say who asks; null for none
     */
    Origin(Peers peers, @Nullable String principalHeader) {
        this.peers = peers;
        this.principalHeader = principalHeader;
    }

    /**
     * Without what clients have no business to say. Many services cannot tell X_User from X-User, so the name with underscores is taken
     * for the other, and not even a proxy may say it.
     */
    void clean(Request request, HttpFields.Mutable headers) {
        boolean trusted = peers.trusted(request);
        List<String> unclean = List.of();
        for (HttpField field : headers) {
            String name = field.getLowerCaseName().replace('_', '-');
            boolean exact = principalExactly(field);
            boolean told = Headers.origin(name) && !(trusted && (exact || name.equals(field.getLowerCaseName())));
            if (HeaderNames.isOurs(name) || told || (principal(name) && !(trusted && exact))) {
                unclean = unclean.isEmpty() ? new ArrayList<>() : unclean;
                unclean.add(field.getName());
            }
        }
        unclean.forEach(headers::remove);
    }

    private boolean principal(String name) {
        return principalHeader != null && HeaderNames.readAlike(name, principalHeader);
    }

    private boolean principalExactly(HttpField field) {
        return principalHeader != null && field.is(principalHeader);
    }

    /** Adds to what proxies in front have said. */
    void add(Request request, HttpFields.Mutable headers) {
        String address = peers.address(request);
        String host = request.getHeaders().get("Host");
        String scheme = request.isSecure() ? "https" : "http";
        append(headers, "X-Forwarded-For", address);
        if (!headers.contains("X-Forwarded-Proto")) {
            headers.put("X-Forwarded-Proto", scheme);
        }
        if (host != null && !headers.contains("X-Forwarded-Host")) {
            headers.put("X-Forwarded-Host", host);
        }
        String node = address.indexOf(':') < 0 ? address : "\"[" + address.replaceAll("[\\[\\]]", "") + "]\"";
        String safeHost = host == null || !HOST.matcher(host).matches() ? "" : ";host=\"" + host + "\"";
        append(headers, "Forwarded", "for=" + node + safeHost + ";proto=" + scheme);
    }

    private static void append(HttpFields.Mutable headers, String name, String value) {
        StringJoiner before = new StringJoiner(", ");
        for (HttpField field : headers) {
            if (field.is(name)) {
                before.add(field.getValue());
            }
        }
        headers.put(name, before.toString().isBlank() ? value : before + ", " + value);
    }
}
