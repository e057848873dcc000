package io.onefold.server.gateway;

import io.onefold.OperationEvent;
import io.onefold.OperationListener;
import io.onefold.http.HttpListener;
import io.onefold.http.Problem;
import io.onefold.http.RequestPlan;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes of requests, and prints them in the text format of Prometheus. */
final class GatewayMetrics implements HttpListener, OperationListener {
    /** The events of records that happen beside or after the responses. */
    private static final Set<OperationEvent.Kind> EVENTS = Set.of(
            OperationEvent.Kind.NOT_STORED,
            OperationEvent.Kind.DOUBTED,
            OperationEvent.Kind.RELEASED,
            OperationEvent.Kind.NOT_BEGUN,
            OperationEvent.Kind.OVERTAKEN,
            OperationEvent.Kind.LEASE_LOST,
            OperationEvent.Kind.TAKEN_OVER,
            OperationEvent.Kind.LATE_DUPLICATE,
            OperationEvent.Kind.FOUND_UNKNOWN,
            OperationEvent.Kind.SETTLED,
            OperationEvent.Kind.PROBE_FAILED,
            OperationEvent.Kind.STUCK);

    private final Map<String, LongAdder> requests = new ConcurrentSkipListMap<>();
    private final Map<OperationEvent.Kind, LongAdder> events = new EnumMap<>(OperationEvent.Kind.class);
    private final LongAdder executed = new LongAdder();
    private final LongAdder replayed = new LongAdder();
    private final LongAdder storeFailures = new LongAdder();
    private final AtomicInteger waiting = new AtomicInteger();
    private final InFlightRequests flights;

    GatewayMetrics(InFlightRequests flights) {
        this.flights = flights;
        requests.put(labels("executed", ""), executed);
        requests.put(labels("replayed", ""), replayed);
        for (String outcome : Set.of("busy", "conflict", "unknown")) {
            requests.put(labels(outcome, ""), new LongAdder());
        }
        EVENTS.forEach(kind -> events.put(kind, new LongAdder()));
    }

    @Override
    public void passed(RequestPlan.PassReason why) {
        count("passed", word(why));
    }

    @Override
    public void unprotected() {
        storeFailures.increment();
        count("passed", "store-unavailable");
    }

    @Override
    public void refused(Problem.ProblemType why) {
        switch (why) {
            case IN_PROGRESS -> count("busy", "");
            case KEY_REUSED -> count("conflict", "");
            case OUTCOME_UNKNOWN -> count("unknown", "");
            case STORE_UNAVAILABLE -> {
                storeFailures.increment();
                count("refused", word(why));
            }
            // these requests were sent on, so they are already counted as executed
            case UPSTREAM_SILENT, UPSTREAM_UNREACHABLE -> count("upstream-failed", word(why));
            default -> count("refused", word(why));
        }
    }

    @Override
    public void executed() {
        executed.increment();
    }

    @Override
    public void replayed() {
        replayed.increment();
    }

    @Override
    public void on(OperationEvent event) {
        LongAdder counter = events.get(event.kind());
        if (counter != null) {
            counter.increment();
        }
        if (event.kind() == OperationEvent.Kind.NOT_STORED) {
            storeFailures.increment();
        }
    }

    void waits() {
        waiting.incrementAndGet();
    }

    void waitsNoLonger() {
        waiting.decrementAndGet();
    }

    String text() {
        StringBuilder text = new StringBuilder(2_000);
        head(text, "onefold_requests_total", "counter", "Requests by what became of them.");
        requests.forEach((labels, counter) -> text.append("onefold_requests_total")
                .append(labels)
                .append(' ')
                .append(counter.sum())
                .append('\n'));
        head(text, "onefold_events_total", "counter", "What happened to records beside the answers.");
        events.forEach((kind, counter) -> text.append("onefold_events_total{kind=\"")
                .append(word(kind))
                .append("\"} ")
                .append(counter.sum())
                .append('\n'));
        head(
                text,
                "onefold_store_failures_total",
                "counter",
                "Requests that the store could not be asked about or told of.");
        text.append("onefold_store_failures_total ").append(storeFailures.sum()).append('\n');
        head(text, "onefold_in_flight", "gauge", "Requests under way.");
        text.append("onefold_in_flight ").append(flights.flying()).append('\n');
        head(text, "onefold_waiting", "gauge", "Requests that are being claimed or wait for another of their kind.");
        text.append("onefold_waiting ").append(waiting.get()).append('\n');
        return text.toString();
    }

    private static void head(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void count(String outcome, String reason) {
        requests.computeIfAbsent(labels(outcome, reason), unseen -> new LongAdder())
                .increment();
    }

    private static String labels(String outcome, String reason) {
        return "{outcome=\"" + outcome + "\",reason=\"" + reason + "\"}";
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
