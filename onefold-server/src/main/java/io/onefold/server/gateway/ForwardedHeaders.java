package io.onefold.server.gateway;

import io.onefold.http.HeaderNames;
import io.onefold.http.HttpContract;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;

/** Tells the service the origin of a request, and removes what clients must not claim about it. */
final class ForwardedHeaders {
    private final HttpContract contract;
    private final TrustedProxies peers;
    private final List<String> who;

    /** @param who headers by which proxies in front name the caller */
    ForwardedHeaders(HttpContract contract, TrustedProxies peers, List<String> who) {
        this.contract = contract;
        this.peers = peers;
        this.who = who;
    }

    /**
     * Removes the headers that clients must not send. Many services cannot tell X_User from X-User, so the name with
     * underscores counts as the other, and not even a proxy may send it.
     */
    void clean(Request request, HttpFields.Mutable headers) {
        boolean trusted = peers.trusted(request);
        List<String> unclean = List.of();
        for (HttpField field : headers) {
            String name = field.getLowerCaseName().replace('_', '-');
            boolean exact = saysWhoExactly(field);
            boolean told =
                    ForwardableHeaders.origin(name) && !(trusted && (exact || name.equals(field.getLowerCaseName())));
            if (contract.isOurs(name) || told || (saysWho(name) && !(trusted && exact))) {
                unclean = unclean.isEmpty() ? new ArrayList<>() : unclean;
                unclean.add(field.getName());
            }
        }
        unclean.forEach(headers::remove);
    }

    private boolean saysWho(String name) {
        for (String header : who) {
            if (HeaderNames.readAlike(name, header)) {
                return true;
            }
        }
        return false;
    }

    private boolean saysWhoExactly(HttpField field) {
        for (String header : who) {
            if (field.is(header)) {
                return true;
            }
        }
        return false;
    }

    /** Adds to the headers of the proxies in front. */
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
        String safeHost = host == null || !quotable(host) ? "" : ";host=\"" + host + "\"";
        append(headers, "Forwarded", "for=" + node + safeHost + ";proto=" + scheme);
    }

    private static boolean quotable(String host) {
        for (int i = 0; i < host.length(); i++) {
            char c = host.charAt(i);
            boolean named = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!named && ".:[]_-".indexOf(c) < 0) {
                return false;
            }
        }
        return !host.isEmpty();
    }

    private static void append(HttpFields.Mutable headers, String name, String value) {
        String said = headers.contains(name) ? String.join(", ", headers.getValuesList(name)) : "";
        headers.put(name, said.isBlank() ? value : said + ", " + value);
    }
}
