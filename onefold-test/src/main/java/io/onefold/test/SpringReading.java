package io.onefold.test;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClientResponseException;

/** Reads what Spring's blocking clients return and throw; used only where Spring is. */
final class SpringReading {
    private SpringReading() {}

    static @Nullable Reply of(@Nullable Object returned, HttpReading http) {
        if (returned instanceof ResponseEntity<?> entity) {
            return http.of(
                    entity.getStatusCode().value(), name -> entity.getHeaders().getFirst(name), entity.getBody());
        }
        return null;
    }

    static @Nullable Reply ofThrown(Throwable thrown, HttpReading http) {
        if (thrown instanceof RestClientResponseException answered) {
            HttpHeaders headers = answered.getResponseHeaders();
            return http.of(
                    answered.getStatusCode().value(),
                    name -> headers == null ? null : headers.getFirst(name),
                    answered.getResponseBodyAsString());
        }
        return null;
    }
}
