package io.onefold.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The kept form of a {@code ResponseEntity}. */
public record StoredResponseEntity<T>(
        int status,
        Map<String, List<String>> headers,
        @Nullable T body) {}
