package io.onefold.server.gateway;

import io.onefold.Verdict;
import io.onefold.http.HandlerResponse;
import io.onefold.http.HeaderField;
import io.onefold.http.HttpOutcomeProbe;
import io.onefold.server.config.ProbeUrl;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the service for the outcome of a request that got no response. 200 and 201 mean that it was carried out, and
 * become its response; 410 means that it was not and can no longer be. With any other status, or with none, it stays
 * unknown: a service that has not found it may be about to carry it out.
 */
final class UpstreamProbe implements HttpOutcomeProbe {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamProbe.class);
    private static final Duration LONGEST = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 1 << 20;

    private final ProbeUrl address;
    private final Duration patience;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /**
     * @param timeout how long the service may be silent; a probe waits at most a few seconds, since others wait for
     *     their turn
     */
    UpstreamProbe(ProbeUrl address, Duration timeout) {
        this.address = address;
        this.patience = timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST;
    }

    @Override
    public Verdict<HandlerResponse> probe(String key) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address.of(key)).GET().build();
        CompletableFuture<HttpResponse<CappedBody>> asked =
                client.sendAsync(request, about -> new CappedBody.CappedBodyReader(MAX_BYTES));
        try {
            return verdict(asked.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            // the message contains neither the key nor the address with the key
            Throwable cause = e.getCause() instanceof IOException io ? io : e;
            LOG.info("{} did not answer a probe: {}", address, cause.toString());
            return Verdict.unknown();
        } finally {
            asked.cancel(true);
        }
    }

    private Verdict<HandlerResponse> verdict(HttpResponse<CappedBody> answer) {
        int status = answer.statusCode();
        if (status == 410) {
            return Verdict.canNoLongerHappen();
        }
        if (status != 200 && status != 201) {
            LOG.info("{} answered {} to a probe: still unknown", address, status);
            return Verdict.unknown();
        }
        List<HeaderField> headers = new ArrayList<>();
        answer.headers()
                .map()
                .forEach((name, values) -> values.forEach(value -> headers.add(new HeaderField(name, value))));
        CappedBody body = answer.body();
        return Verdict.executed(
                body.whole()
                        ? HandlerResponse.of(status, headers, body.bytes())
                        : HandlerResponse.sent(status, headers));
    }
}
