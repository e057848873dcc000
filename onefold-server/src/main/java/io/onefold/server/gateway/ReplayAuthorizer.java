package io.onefold.server.gateway;

import io.onefold.http.RequestHead;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Asks whether the caller may still see an earlier response: rights may have been withdrawn since. A status from 200 to
 * 299 means yes, 401 and 403 mean no; with any other status, nothing is returned.
 */
final class ReplayAuthorizer {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final List<String> CREDENTIALS = List.of("Authorization", "Cookie");

    private final URI address;
    private final List<String> passed;
    private final Duration patience;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /** @param who the headers that identify the caller */
    ReplayAuthorizer(URI address, List<String> who) {
        this(address, who, PATIENCE);
    }

    ReplayAuthorizer(URI address, List<String> who, Duration patience) {
        this.address = address;
        this.patience = patience;
        this.passed = java.util.stream.Stream.concat(CREDENTIALS.stream(), who.stream())
                .toList();
    }

    CompletionStage<Boolean> mayRead(RequestHead head) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).timeout(patience).GET();
        for (String name : passed) {
            head.headers(name).forEach(value -> request.header(name, value));
        }
        String query = head.query();
        request.header("X-Original-Method", head.method());
        request.header("X-Original-URI", query == null ? head.path() : head.path() + "?" + query);
        CompletableFuture<HttpResponse<Void>> asked =
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
        // the request's own timeout ends once the headers of its response arrive
        return asked.thenApply(response -> allowed(response.statusCode()))
                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((may, failure) -> {
                    if (failure != null) {
                        asked.cancel(true);
                    }
                });
    }

    private static boolean allowed(int status) {
        if (status >= 200 && status < 300) {
            return true;
        }
        if (status == 401 || status == 403) {
            return false;
        }
        throw new CompletionException(
                new IOException("authorize has answered " + status + ", neither 2xx nor 401 or 403"));
    }
}
