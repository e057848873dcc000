package io.onefold.server.gateway;

import io.onefold.http.HeaderField;
import io.onefold.http.HeaderNames;
import io.onefold.http.HttpContract;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** Chooses the headers that cross the gateway. */
final class ForwardableHeaders {
    static final String OUTCOME = "onefold-outcome";

    private static final Set<String> ORIGIN = Set.of("forwarded", "x-real-ip");

    private ForwardableHeaders() {}

    /** Returns true for a header that names the origin of a request: proxies send it, and only listed ones are trusted. */
    static boolean origin(String lowerCase) {
        return lowerCase.startsWith("x-forwarded-") || ORIGIN.contains(lowerCase);
    }

    /** Returns the headers of a response for the client, and those about the operation. */
    static List<HeaderField> answered(HttpFields headers, HttpContract contract) {
        Set<String> named = named(headers);
        List<HeaderField> fields = new ArrayList<>();
        for (HttpField field : headers) {
            String name = field.getLowerCaseName();
            if (!HeaderNames.isHopByHop(name)
                    && !named.contains(name)
                    && (!contract.isOurs(name) || name.equals(OUTCOME))) {
                fields.add(new HeaderField(field.getName(), field.getValue() == null ? "" : field.getValue()));
            }
        }
        return fields;
    }

    /** Copies the headers of a response for the client. */
    static void copy(List<HeaderField> from, HttpFields.Mutable to) {
        for (HeaderField field : from) {
            if (!field.name().equalsIgnoreCase(OUTCOME)) {
                to.add(field.name(), field.value());
            }
        }
    }

    private static Set<String> named(HttpFields headers) {
        if (!headers.contains(HttpHeader.CONNECTION)) {
            return Set.of();
        }
        Set<String> named = new HashSet<>();
        for (String value : headers.getCSV(HttpHeader.CONNECTION, false)) {
            named.add(value.toLowerCase(Locale.ROOT));
        }
        return named;
    }
}
