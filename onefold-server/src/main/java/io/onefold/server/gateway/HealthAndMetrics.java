package io.onefold.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.http.HeaderField;
import io.onefold.http.OutgoingResponse;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Health and metrics, for either listener. */
final class HealthAndMetrics implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthAndMetrics.class);
    private static final RecordId NOBODY = RecordId.hold("health", "nobody");
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final String HEALTH = "/healthz";
    private static final String METRICS = "/metrics";

    private final ExecutorService asking = Executors.newSingleThreadExecutor(HealthAndMetrics::daemon);
    private final Store store;
    private final InFlightRequests flights;
    private final GatewayMetrics metrics;
    private @Nullable CompletableFuture<RecordSnapshot> question;

    HealthAndMetrics(Store store, InFlightRequests flights, GatewayMetrics metrics) {
        this.store = store;
        this.flights = flights;
        this.metrics = metrics;
    }

    private static Thread daemon(Runnable task) {
        Thread daemon = new Thread(task, "onefold-health");
        daemon.setDaemon(true);
        return daemon;
    }

    /** Returns true if this is a request for health or metrics. */
    static boolean answers(String method, String path) {
        return (path.equals(HEALTH) || path.equals(METRICS)) && (method.equals("GET") || method.equals("HEAD"));
    }

    /** Returns a future that never fails; no thread of the caller waits for it. */
    CompletableFuture<OutgoingResponse> answer(String path) {
        if (path.equals(METRICS)) {
            return CompletableFuture.completedFuture(
                    told(200, "text/plain; version=0.0.4; charset=utf-8", metrics.text()));
        }
        if (flights.draining()) {
            return CompletableFuture.completedFuture(health(503, "{\"status\":\"draining\"}\n"));
        }
        return question()
                .copy()
                .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .handle((seen, failure) -> {
                    if (failure == null) {
                        return health(200, "{\"status\":\"up\"}\n");
                    }
                    String why = failure instanceof TimeoutException ? "nothing for " + PATIENCE : failure.getMessage();
                    LOG.warn("the store does not answer: {}", why);
                    return health(503, "{\"status\":\"down\",\"store\":\"unreachable\"}\n");
                });
    }

    /** Asks the store once at a time: a request that comes meanwhile gets the same result. */
    private synchronized CompletableFuture<RecordSnapshot> question() {
        if (question == null || question.isDone()) {
            question = CompletableFuture.supplyAsync(() -> store.find(NOBODY), asking);
        }
        return question;
    }

    private static OutgoingResponse health(int status, String json) {
        return told(status, "application/json", json);
    }

    private static OutgoingResponse told(int status, String type, String text) {
        List<HeaderField> headers =
                List.of(new HeaderField("Content-Type", type), new HeaderField("Cache-Control", "no-store"));
        return new OutgoingResponse(status, headers, text.getBytes(UTF_8), false);
    }

    @Override
    public void close() {
        asking.shutdownNow();
    }
}
