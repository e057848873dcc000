package io.onefold.benchmarks.http;

import io.onefold.benchmarks.stores.Results;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How many threads the gateway needs while the service is at the first request of each key, and all duplicates wait for it. */
final class Waiting {
    static final int GOAL = 32;

    private static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final Pattern GAUGE = Pattern.compile("(?m)^onefold_waiting (\\d+)$");

    private final HttpPlan plan;
    private final PrintStream out;
    private final Map<String, Set<String>> answers = new HashMap<>();

    private Waiting(HttpPlan plan, PrintStream out) {
        this.plan = plan;
        this.out = out;
    }

    static void measure(HttpPlan plan, Results results, PrintStream out) throws IOException, InterruptedException {
        Waiting waiting = new Waiting(plan, out);
        try (Hosted service = Hosted.service();
                Hosted gateway = Hosted.before(service, Host.FILED_GATEWAY, "-Xmx256m")) {
            results.figure(figure(plan), (double) waiting.threads(service, gateway));
        }
    }

    static String figure(HttpPlan plan) {
        return "threads of the gateway while %,d duplicates of %,d requests wait"
                .formatted(plan.keys() * (plan.duplicates() - 1), plan.keys());
    }

    private long threads(Hosted service, Hosted gateway) throws IOException, InterruptedException {
        long idle = gateway.number("thread-count");
        InetSocketAddress to = gateway.address();
        List<String> keys = keys();
        var next = keys.iterator();
        int total = keys.size();
        try (Load load = Load.on(to, total, () -> new Once(to, next.next()))) {
            long began = System.nanoTime();
            load.begin();
            awaitAll(service, gateway, total);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            long threads = gateway.number("thread-count");
            out.printf(
                    "%nWaiting: %,d requests under way, %,d of them duplicates that wait, after %,d ms; %d threads, %d before%n",
                    total, total - plan.keys(), millis, threads, idle);
            out.println("  " + gateway.ask("threads"));
            service.ask("release");
            load.finish();
            long executions = service.number("executions");
            if (executions != plan.keys() || answers.values().stream().anyMatch(all -> all.size() != 1)) {
                throw new IllegalStateException(
                        "%,d executions for %,d keys, or answers that differ".formatted(executions, plan.keys()));
            }
            out.printf("  then %,d executions, and each duplicate had the answer of its first%n", executions);
            return threads;
        }
    }

    /** One of each, then another of each, and so on: as if all clients tried again. */
    private List<String> keys() {
        SplittableRandom random = new SplittableRandom();
        List<String> once = new ArrayList<>();
        for (int i = 0; i < plan.keys(); i++) {
            once.add(Requests.key(random));
        }
        List<String> all = new ArrayList<>();
        for (int i = 0; i < plan.duplicates(); i++) {
            all.addAll(once);
        }
        return all;
    }

    private void awaitAll(Hosted service, Hosted gateway, int total) throws IOException, InterruptedException {
        HttpRequest metrics = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + gateway.number("admin-port") + "/metrics"))
                .build();
        HttpClient client = HttpClient.newHttpClient();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            long held = service.number("held");
            Matcher gauge =
                    GAUGE.matcher(client.send(metrics, HttpResponse.BodyHandlers.ofString(StandardCharsets.US_ASCII))
                            .body());
            int wait = gauge.find() ? Integer.parseInt(gauge.group(1)) : -1;
            if (held == plan.keys() && wait == total - plan.keys()) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "only %,d requests are at the service, and %,d wait; should be %,d and %,d"
                                .formatted(held, wait, plan.keys(), total - plan.keys()));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** One request, and its answer for comparison. */
    private final class Once implements Asker {
        private final InetSocketAddress to;
        private final String key;
        private boolean asked;

        Once(InetSocketAddress to, String key) {
            this.to = to;
            this.key = key;
        }

        @Override
        public ByteBuffer @Nullable [] next() {
            if (asked) {
                return null;
            }
            asked = true;
            return new ByteBuffer[] {Requests.order(to, Service.HELD, key, true)};
        }

        @Override
        public void answered(Reply reply) {
            if (reply.status() != 200) {
                throw new IllegalStateException("a duplicate was answered with " + reply.text());
            }
            answers.computeIfAbsent(key, unseen -> new HashSet<>())
                    .add(new String(reply.bytes(), StandardCharsets.US_ASCII));
        }
    }
}
