package io.onefold.spring.client;

import io.onefold.spring.CurrentAttempt;
import java.io.IOException;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * For {@code RestClient}, {@code RestTemplate} and {@code @HttpExchange} over them: calls made in an attempt, and without a key, get
 * one. It belongs before interceptors that choose an instance of a service or retry.
 */
public final class ChildKeyHttpInterceptor implements ClientHttpRequestInterceptor {
    private final ChildKeyRules keys;

    public ChildKeyHttpInterceptor() {
        this(ChildKeyRules.standard());
    }

    public ChildKeyHttpInterceptor(ChildKeyRules keys) {
        this.keys = keys;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        if (request.getHeaders().getFirst(keys.header()) == null) {
            String key = keys.of(
                    CurrentAttempt.get(),
                    request.getMethod().name(),
                    request.getURI(),
                    request.getAttributes().get(ChildKeyRules.NAME));
            if (key != null) {
                request.getHeaders().set(keys.header(), key);
            }
        }
        return execution.execute(request, body);
    }
}
