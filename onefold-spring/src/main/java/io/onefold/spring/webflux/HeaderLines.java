package io.onefold.spring.webflux;

import io.onefold.http.HeaderField;
import io.onefold.http.HeaderNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;

/** Header lines by case-insensitive name. They are copied, since a server may reuse its own for another request. */
final class HeaderLines {
    private final Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    static HeaderLines of(HttpHeaders headers) {
        HeaderLines lines = new HeaderLines();
        headers.headerSet().forEach(line -> lines.byName.putIfAbsent(line.getKey(), List.copyOf(line.getValue())));
        return lines;
    }

    static HeaderLines of(List<HeaderField> fields) {
        HeaderLines lines = new HeaderLines();
        fields.forEach(field -> lines.byName
                .computeIfAbsent(field.name(), same -> new ArrayList<>())
                .add(field.value()));
        return lines;
    }

    List<String> of(String name) {
        return byName.getOrDefault(name, List.of());
    }

    HttpHeaders toHeaders() {
        HttpHeaders headers = new HttpHeaders();
        byName.forEach(headers::addAll);
        return headers;
    }

    /**
     * Returns the headers without these names. A name with underscores equals one with dashes, since some applications cannot tell them
     * apart.
     */
    HttpHeaders toHeaders(List<String> without) {
        HeaderLines others = of(toHeaders());
        others.byName.keySet().removeIf(name -> without.stream().anyMatch(other -> HeaderNames.readAlike(name, other)));
        return others.toHeaders();
    }

    List<HeaderField> toFields() {
        List<HeaderField> fields = new ArrayList<>();
        byName.forEach((name, values) -> values.forEach(value -> fields.add(new HeaderField(name, value))));
        return fields;
    }

    /**
     * @param alone true if values that the response has under the same names are removed
     */
    void into(ServerHttpResponse response, boolean alone) {
        HeaderLines there = of(response.getHeaders());
        byName.forEach((name, values) -> {
            List<String> all = new ArrayList<>();
            if (!alone && !name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
                all.addAll(there.of(name));
            }
            values.stream().filter(value -> alone || !all.contains(value)).forEach(all::add);
            response.getHeaders().put(name, all);
        });
    }
}
