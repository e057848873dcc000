package io.onefold.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.onefold.TokenStore;
import io.onefold.server.gateway.Service.Behaviour;
import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ForwardingStore;
import io.onefold.store.MemoryStore;
import io.onefold.store.RecordUpdate;
import io.onefold.store.StoreException;
import io.onefold.store.UpdateResult;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each line of the tables of counters in the documentation, by a request that is counted there and nowhere else. */
@Timeout(60)
class MetricsTest {
    private static final Pattern LINE =
            Pattern.compile("(onefold_(?:requests_total|events_total|store_failures_total)(?:\\{[^}]*})?) (\\d+)");
    private static final String FAILURES = "onefold_store_failures_total";

    @TempDir
    Path directory;

    private final Faulty store = new Faulty();
    private final Service service = Service.start();
    private Gateway gateway;
    private Client client;

    private interface Step {
        void of(MetricsTest test) throws Exception;
    }

    @BeforeEach
    void start() throws Exception {
        TokenStore none = (TokenStore) Proxy.newProxyInstance(
                TokenStore.class.getClassLoader(),
                new Class<?>[] {TokenStore.class},
                (proxy, method, arguments) -> null);
        gateway = Gateway.start(
                Rig.config(service.address(), directory, """
                strict: true
                timeout: 1s
                reconcile: 100ms
                drain: 1s
                defaults: {wait: 0, body.max: 1KiB, lease: 1s, max-run: 2s}
                routes:
                  - match: POST /needed
                    required: true
                  - match: POST /unknown
                    on-5xx: unknown
                  - match: POST /probed
                    on-5xx: unknown
                    probe: SERVICE/by-key?key={key}
                  - match: POST /retried
                    on-5xx: retry
                  - match: POST /bodiless
                    store-body: false
                  - match: POST /open
                    on-store-failure: open
                  - match: POST /streams
                    streaming: bypass
                  - match: POST /repeated
                    safe-to-repeat: true
                """.replace("SERVICE", service.address())), store, none);
        client = new Client(gateway.port());
    }

    @AfterEach
    void stop() {
        service.close();
        gateway.close();
    }

    static Stream<Arguments> lines() {
        return Stream.of(
                line("executed", test -> test.post("/orders", "k"), request("executed", "", 1)),
                line(
                        "replayed",
                        test -> {
                            test.post("/orders", "k");
                            test.post("/orders", "k");
                        },
                        request("executed", "", 1),
                        request("replayed", "", 1)),
                line("busy", MetricsTest::busy, request("executed", "", 1), request("busy", "", 1)),
                line(
                        "conflict",
                        test -> {
                            test.post("/orders", "k");
                            test.client.post("/orders", "k", "{\"other\":1}");
                        },
                        request("executed", "", 1),
                        request("conflict", "", 1)),
                line(
                        "unknown",
                        test -> {
                            test.service.does(Behaviour.answers(500, ""));
                            test.post("/unknown", "k");
                            test.post("/unknown", "k");
                        },
                        request("executed", "", 1),
                        request("unknown", "", 1),
                        event("doubted", 1)),
                line("not-covered", test -> test.client.get("/orders"), request("passed", "not-covered", 1)),
                line("no-key", test -> test.client.send("POST", "/orders", "{}"), request("passed", "no-key", 1)),
                line(
                        "stream",
                        test -> test.client.post("/streams", "k", "{}", "Accept: text/event-stream"),
                        request("passed", "stream", 1)),
                line(
                        "open",
                        test -> {
                            test.store.down = true;
                            test.post("/open", "k");
                        },
                        request("passed", "store-unavailable", 1),
                        Map.entry(FAILURES, 1L)),
                line("key-invalid", test -> test.post("/orders", "a,b"), request("refused", "key-invalid", 1)),
                line(
                        "key-missing",
                        test -> test.client.send("POST", "/needed", "{}"),
                        request("refused", "key-missing", 1)),
                line(
                        "body-too-large",
                        test -> test.client.post("/orders", "k", "x".repeat(2_000)),
                        request("refused", "body-too-large", 1)),
                line(
                        "result-not-replayable",
                        test -> {
                            test.post("/bodiless", "k");
                            test.post("/bodiless", "k");
                        },
                        request("executed", "", 1),
                        request("refused", "result-not-replayable", 1)),
                line(
                        "not-supported",
                        test -> test.client.send("PUT", "/orders", "{}", "Idempotency-Key: k"),
                        request("refused", "not-supported", 1)),
                line(
                        "store-unavailable",
                        test -> {
                            test.store.down = true;
                            test.post("/orders", "k");
                        },
                        request("refused", "store-unavailable", 1),
                        Map.entry(FAILURES, 1L)),
                line(
                        "upstream-unreachable",
                        test -> {
                            test.service.close();
                            test.post("/orders", "k");
                        },
                        request("executed", "", 1),
                        request("upstream-failed", "upstream-unreachable", 1),
                        event("released", 1)),
                line(
                        "upstream-unreachable without a key",
                        test -> {
                            test.service.close();
                            test.client.get("/orders");
                        },
                        request("passed", "not-covered", 1),
                        request("upstream-failed", "upstream-unreachable", 1)),
                line(
                        "upstream-silent",
                        test -> {
                            test.service.does(Behaviour.closes());
                            test.post("/orders", "k");
                        },
                        request("executed", "", 1),
                        request("upstream-failed", "upstream-silent", 1),
                        event("doubted", 1)),
                line(
                        "released",
                        test -> {
                            test.service.does(Behaviour.answers(503, ""));
                            test.post("/retried", "k");
                        },
                        request("executed", "", 1),
                        event("released", 1)),
                line(
                        "not-stored",
                        test -> {
                            test.store.losesEnds = true;
                            test.post("/orders", "k");
                        },
                        request("executed", "", 1),
                        event("not-stored", 1),
                        Map.entry(FAILURES, 1L)),
                line(
                        "late-duplicate",
                        test -> {
                            test.post("/orders", "k");
                            test.store.pass(Duration.ofHours(25));
                            test.post("/orders", "k");
                        },
                        request("executed", "", 2),
                        event("late-duplicate", 1)),
                line(
                        "settled",
                        test -> {
                            test.service.does((request, socket, count) -> Behaviour.answers(
                                            request.target().startsWith("/by-key") ? 200 : 500, "found")
                                    .onRequest(request, socket, count));
                            test.post("/probed", "k");
                            test.await(event("settled", 1));
                        },
                        request("executed", "", 1),
                        event("doubted", 1),
                        event("settled", 1)));
    }

    private static void busy(MetricsTest test) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        test.service.does(Behaviour.waits(gate));
        CompletableFuture<Message> first = test.client.postAsync("/orders", "k", "{}");
        Rig.await("the service is asked", () -> test.service.seen().size() == 1);
        test.post("/orders", "k");
        gate.countDown();
        first.join();
    }

    private void post(String path, String key) {
        client.post(path, key, "{}");
    }

    @ParameterizedTest
    @MethodSource("lines")
    void each_is_counted_where_the_documentation_says(Step step, Map<String, Long> expected) throws Exception {
        assertThat(counted()).as("before anything came").isEmpty();
        step.of(this);
        assertThat(counted()).isEqualTo(expected);
    }

    /** All that is not zero. */
    private Map<String, Long> counted() {
        Map<String, Long> counted = new TreeMap<>();
        for (String line : client.get("/metrics").text().lines().toList()) {
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches() && !matcher.group(2).equals("0")) {
                counted.put(matcher.group(1), Long.valueOf(matcher.group(2)));
            }
        }
        return counted;
    }

    private void await(Map.Entry<String, Long> entry) throws InterruptedException {
        Rig.await(entry.toString(), () -> entry.getValue().equals(counted().get(entry.getKey())));
    }

    @SafeVarargs
    private static Arguments line(String name, Step step, Map.Entry<String, Long>... expected) {
        return Arguments.of(Named.of(name, step), new TreeMap<>(Map.ofEntries(expected)));
    }

    private static Map.Entry<String, Long> request(String outcome, String reason, long times) {
        return Map.entry("onefold_requests_total{outcome=\"" + outcome + "\",reason=\"" + reason + "\"}", times);
    }

    private static Map.Entry<String, Long> event(String kind, long times) {
        return Map.entry("onefold_events_total{kind=\"" + kind + "\"}", times);
    }

    /** A store that fails when it is told to, and whose clock can be moved. */
    private static final class Faulty extends ForwardingStore {
        private final AtomicLong ahead;
        private volatile boolean down;
        private volatile boolean losesEnds;

        Faulty() {
            this(new AtomicLong());
        }

        private Faulty(AtomicLong ahead) {
            super(new MemoryStore(() -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + ahead.get()));
            this.ahead = ahead;
        }

        void pass(Duration time) {
            ahead.addAndGet(time.toNanos() / 1_000);
        }

        @Override
        public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
            check(down);
            return super.claimAll(claims);
        }

        @Override
        public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
            check(down
                    || (losesEnds && updates.stream().anyMatch(update -> !(update.change() instanceof Change.Renew))));
            return super.updateAll(updates);
        }

        private static void check(boolean fails) {
            if (fails) {
                throw new StoreException("as told", null);
            }
        }
    }
}
