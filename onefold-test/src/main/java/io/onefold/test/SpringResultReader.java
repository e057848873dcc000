package io.onefold.test;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClientResponseException;

/** Reads what Spring's blocking clients return and throw; used only where Spring is. */
final class SpringResultReader {
    private SpringResultReader() {}

    static @Nullable CallResult of(@Nullable Object returned, HttpResultReader http) {
        if (returned instanceof ResponseEntity<?> entity) {
            return http.of(
                    entity.getStatusCode().value(), name -> entity.getHeaders().getFirst(name), entity.getBody());
        }
        return null;
    }

    static @Nullable CallResult ofThrown(Throwable thrown, HttpResultReader http) {
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
