package io.onefold.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Requests to WebTestClient. */
final class WebTestClientCalls implements DuplicateCalls.CallRunner {
    private static final Duration ENOUGH = Duration.ofMinutes(1);

    private final WebTestClient client;
    private final Function<WebTestClient, ? extends WebTestClient.RequestHeadersSpec<?>> request;

    WebTestClientCalls(
            WebTestClient client, Function<WebTestClient, ? extends WebTestClient.RequestHeadersSpec<?>> request) {
        this.client = Objects.requireNonNull(client, "client");
        this.request = Objects.requireNonNull(request, "request");
    }

    @Override
    public List<Callable<CallResult>> prepare(int times, Duration deadline, CallResultReader reading) {
        // it would give up before the deadline otherwise, or just then, and who is late would seem to have thrown
        WebTestClient patient =
                client.mutate().responseTimeout(deadline.plus(ENOUGH)).build();
        List<Callable<CallResult>> calls = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            WebTestClient.RequestHeadersSpec<?> spec = request.apply(patient);
            calls.add(() -> send(spec, reading.http()));
        }
        return calls;
    }

    private static CallResult send(WebTestClient.RequestHeadersSpec<?> spec, HttpResultReader reading) {
        EntityExchangeResult<byte[]> result = spec.exchange().expectBody().returnResult();
        return reading.of(
                result.getStatus().value(),
                name -> result.getResponseHeaders().getFirst(name),
                result.getResponseBody());
    }
}
