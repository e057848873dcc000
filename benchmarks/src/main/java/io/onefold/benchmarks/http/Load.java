package io.onefold.benchmarks.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Asks over some connections without a pause, on each for the next as soon as it has its answer. One thread serves all: whoever asks
 * is to take as little as possible from who is measured.
 */
final class Load implements AutoCloseable {
    private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();

    private final Selector selector;
    private final List<Connection> connections = new ArrayList<>();
    private Latencies latencies = new Latencies();
    private long from = Long.MAX_VALUE;
    private long until;
    private int open;
    private long answers;

    private Load(Selector selector) {
        this.selector = selector;
    }

    /** Connected, and nothing asked yet. */
    static Load on(InetSocketAddress address, int connections, Supplier<? extends Asker> askers) throws IOException {
        Load load = new Load(Selector.open());
        try {
            for (int i = 0; i < connections; i++) {
                load.connections.add(new Connection(address, load.selector, askers.get()));
            }
            return load;
        } catch (IOException e) {
            load.close();
            throw e;
        }
    }

    /**
     * What was answered inside the window; it saw neither start nor end.
     *
     * @param inAll with what was answered before and after
     */
    record Count(Latencies latencies, long nanos, long inAll) {}

    Count run(Duration ramp, Duration window) throws IOException {
        long now = System.nanoTime();
        from = now + ramp.toNanos();
        until = from + window.toNanos();
        latencies = new Latencies();
        begin();
        finish();
        return new Count(latencies, window.toNanos(), answers);
    }

    /** Asks for all there is, however long it takes. */
    void runAll() throws IOException {
        until = Long.MAX_VALUE;
        begin();
        finish();
    }

    /** Only asks the first time on each connection. */
    void begin() throws IOException {
        for (Connection connection : connections) {
            if (connection.ask()) {
                open++;
            }
        }
    }

    /** Until all is answered. */
    void finish() throws IOException {
        long last = System.nanoTime();
        while (open > 0) {
            int selected = selector.select(
                    key -> {
                        if (key.attachment() instanceof Connection connection) {
                            proceed(connection);
                        }
                    },
                    1_000);
            long now = System.nanoTime();
            if (selected > 0) {
                last = now;
            } else if (now - last > PATIENCE_NANOS) {
                throw new IOException(open + " requests had no answer for a minute");
            }
        }
    }

    private void proceed(Connection connection) {
        try {
            if (!connection.proceed()) {
                return;
            }
            long now = System.nanoTime();
            answers++;
            if (now >= from && now < until) {
                latencies.add(now - connection.askedAt());
            }
            if (now >= until || !connection.ask()) {
                open--;
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            connection.close();
        }
        selector.close();
    }
}
