package io.onefold.spring;

import io.onefold.http.HeaderField;
import io.onefold.http.StoredHeaderRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;

/** Responses of handlers, with the headers that may be replayed. */
final class ResponseEntities {
    private ResponseEntities() {}

    static Object stored(Object returned) {
        ResponseEntity<?> entity = (ResponseEntity<?>) returned;
        return new StoredResponseEntity<>(entity.getStatusCode().value(), kept(entity.getHeaders()), entity.getBody());
    }

    /** Returns the headers that may be replayed. */
    static Map<String, List<String>> kept(HttpHeaders headers) {
        List<HeaderField> all = new ArrayList<>();
        headers.forEach((name, values) -> values.forEach(value -> all.add(new HeaderField(name, value))));
        Map<String, List<String>> kept = new LinkedHashMap<>();
        for (HeaderField field : StoredHeaderRules.kept(all, Set.of())) {
            kept.computeIfAbsent(field.name(), name -> new ArrayList<>()).add(field.value());
        }
        return kept;
    }

    /** The status that a handler returned; 200 if it returned none. */
    static int status(@Nullable Object returned) {
        return returned instanceof ResponseEntity<?> entity
                ? entity.getStatusCode().value()
                : 200;
    }

    static Object returned(StoredResponseEntity<?> stored) {
        HttpHeaders headers = new HttpHeaders();
        stored.headers().forEach(headers::addAll);
        // not with a constructor: Spring 6 and 7 have none in common
        return ResponseEntity.status(stored.status()).headers(headers).body(stored.body());
    }
}
