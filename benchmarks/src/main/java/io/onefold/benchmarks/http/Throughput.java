package io.onefold.benchmarks.http;

import io.onefold.benchmarks.stores.Cpu;
import io.onefold.benchmarks.stores.Group;
import io.onefold.benchmarks.stores.Results;
import io.onefold.benchmarks.stores.Runner;
import io.onefold.benchmarks.stores.Slice;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Measures all ways in turn, each for a moment, in an order that changes with the round: what else goes on meets all of them alike. After
 * every slice the service must have done what was new, and nothing else.
 */
final class Throughput implements AutoCloseable {
    /** For both alike, with room for the records of a whole run: it is not to be the collector that is measured. */
    private static final String HEAP = "-Xmx3g";

    private final HttpPlan plan;
    private final Results results;
    private final BiConsumer<Slice, Latencies> log;
    private final Map<String, Hosted> hosts = new HashMap<>();
    private final Hosted service;
    private final SplittableRandom seeds = new SplittableRandom();
    private final Map<Group, Map<Way, Latencies>> latencies = new HashMap<>();
    private final List<NewOrders.Known> known = new ArrayList<>();

    Throughput(HttpPlan plan, Results results, BiConsumer<Slice, Latencies> log) throws IOException {
        this.plan = plan;
        this.results = results;
        this.log = log;
        this.service = Hosted.service();
        hosts.put(Host.SERVICE, service);
        hosts.put(Host.PROXY, Hosted.before(service, Host.PROXY, HEAP));
        hosts.put(Host.TUNED_PROXY, Hosted.before(service, Host.TUNED_PROXY, HEAP));
        hosts.put(Host.GATEWAY, Hosted.before(service, Host.GATEWAY, HEAP));
    }

    static Group group(int connections) {
        return new Group("http", "small", connections);
    }

    /** Makes the orders that replays are of, and has the code compiled. */
    void warmUp() throws IOException {
        InetSocketAddress gateway = address(Way.FIRST);
        NewOrders first = new NewOrders(gateway, true, seeds.split(), plan.known());
        try (Load load = Load.on(gateway, 1, () -> first)) {
            load.runAll();
        }
        known.addAll(first.done());
        for (int time = 0; time < plan.warmings(); time++) {
            for (int connections : plan.connections()) {
                for (Way way : Way.values()) {
                    // three ways lead through the gateway: no process is to be better prepared than the other
                    for (int again = way == Way.PLAIN || way == Way.TUNED ? 3 : 1; again > 0; again--) {
                        Slice slice = slice(group(connections), way, 0, plan.warm(), new Latencies());
                        log.accept(slice, new Latencies());
                    }
                }
            }
            for (Hosted host : hosts.values()) {
                host.ask("settle");
            }
        }
    }

    void measure(int connections) throws IOException {
        Group group = group(connections);
        for (int round = 0; round <= plan.rounds(); round++) {
            for (Way way : Runner.turn(List.of(Way.values()), round)) {
                Latencies taken = new Latencies();
                Slice slice = slice(group, way, round, plan.window(), taken);
                log.accept(slice, taken);
                if (round > 0) {
                    results.add(slice);
                    latencies
                            .computeIfAbsent(group, unseen -> new EnumMap<>(Way.class))
                            .computeIfAbsent(way, unseen -> new Latencies())
                            .addAll(taken);
                }
            }
        }
    }

    /** Of all slices. */
    Latencies latencies(int connections, Way way) {
        return latencies.getOrDefault(group(connections), Map.of()).getOrDefault(way, new Latencies());
    }

    private Slice slice(Group group, Way way, int round, Duration window, Latencies taken) throws IOException {
        long executed = service.number("executions");
        Cpu before;
        Cpu after;
        Load.Count count;
        try (Load load = Load.on(address(way), group.callers(), askers(way))) {
            before = Cpu.read();
            count = load.run(plan.ramp(), window);
            after = Cpu.read();
        }
        executed = service.number("executions") - executed;
        long fresh = way == Way.REPLAY ? 0 : count.inAll();
        if (executed != fresh) {
            throw new IllegalStateException(
                    "%s, %s: %,d executions for %,d new orders".formatted(way.called, group, executed, fresh));
        }
        taken.addAll(count.latencies());
        return new Slice(
                group,
                way.called,
                round,
                count.nanos() / 1e9,
                count.latencies().size(),
                executed,
                fresh,
                after.oursSince(before) / count.inAll(),
                after.foreignSince(before));
    }

    private Supplier<Asker> askers(Way way) {
        InetSocketAddress to = address(way);
        return way == Way.REPLAY
                ? () -> new Replays(to, known, seeds.split())
                : () -> new NewOrders(to, way.keyed, seeds.split(), Long.MAX_VALUE);
    }

    private InetSocketAddress address(Way way) {
        Hosted host = hosts.get(way.host);
        if (host == null) {
            throw new IllegalStateException("nothing runs as " + way.host);
        }
        return host.address();
    }

    @Override
    public void close() throws IOException {
        for (Hosted host : hosts.values()) {
            host.close();
        }
    }
}
