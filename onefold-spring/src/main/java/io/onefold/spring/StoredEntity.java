package io.onefold.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@code ResponseEntity} as it is kept. */
public record StoredEntity<T>(
        int status,
        Map<String, List<String>> headers,
        @Nullable T body) {}
