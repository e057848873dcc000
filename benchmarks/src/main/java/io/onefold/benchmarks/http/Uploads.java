package io.onefold.benchmarks.http;

import static io.onefold.benchmarks.http.HttpPlan.UPLOADS_AT_ONCE;
import static io.onefold.benchmarks.http.HttpPlan.UPLOAD_BYTES;

import io.onefold.benchmarks.stores.Results;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether what the gateway keeps of large bodies is gone with them. A process that runs out of memory ends, and the run with it. The heap
 * is looked at when nothing is under way and all garbage is gone, so what it grows by is what stays.
 */
final class Uploads {
    /** Over all uploads; a buffer that stays of each would be more. */
    static final int GOAL_KIB = 2_048;

    private static final String HEAP = "-Xmx256m";
    private static final double MIB = 1 << 20;

    private final InetSocketAddress to;
    private final ByteBuffer body = ByteBuffer.allocateDirect(UPLOAD_BYTES);
    private final SplittableRandom random = new SplittableRandom();
    private int left;

    private Uploads(InetSocketAddress to) {
        this.to = to;
    }

    static void measure(HttpPlan plan, Results results, PrintStream out) throws IOException {
        List<Long> heap = new ArrayList<>();
        try (Hosted service = Hosted.service();
                Hosted gateway = Hosted.before(service, Host.FILED_GATEWAY, HEAP)) {
            Uploads uploads = new Uploads(gateway.address());
            long began = System.nanoTime();
            for (int done = 0; done < plan.uploads(); done += plan.sampled()) {
                uploads.send(plan.sampled());
                heap.add(gateway.number("heap"));
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            long executions = service.number("executions");
            if (executions != plan.uploads()) {
                throw new IllegalStateException("%,d executions for %,d uploads".formatted(executions, plan.uploads()));
            }
            long most = heap.stream().mapToLong(Long::longValue).max().orElse(0);
            long least = heap.stream().mapToLong(Long::longValue).min().orElse(0);
            double grown = slope(heap) * (heap.size() - 1);
            results.figure(figure(plan), Math.max(0, grown / 1_024));
            out.printf(
                    Locale.ROOT,
                    "%nUploads: %,d of %.0f MiB, %d at a time, in %.0f s (%.0f MiB/s), heap at most %s%n",
                    plan.uploads(),
                    UPLOAD_BYTES / MIB,
                    UPLOADS_AT_ONCE,
                    seconds,
                    plan.uploads() * (UPLOAD_BYTES / MIB) / seconds,
                    HEAP.substring(4));
            out.printf(
                    Locale.ROOT,
                    "  heap after collection, in MiB, every %d uploads: %s%n",
                    plan.sampled(),
                    heap.stream()
                            .map(one -> String.format(Locale.ROOT, "%.2f", one / MIB))
                            .collect(Collectors.joining(" ")));
            out.printf(
                    Locale.ROOT,
                    "  most minus least %.2f MiB, line through them %+.2f MiB; peak of the used heap %.0f MiB, buffers outside of it %.1f MiB%n",
                    (most - least) / MIB,
                    grown / MIB,
                    gateway.number("peak") / MIB,
                    gateway.number("direct") / MIB);
        }
    }

    static String figure(HttpPlan plan) {
        return "KiB that the gateway's heap grew by in %,d uploads of %d MiB"
                .formatted(plan.uploads(), UPLOAD_BYTES >> 20);
    }

    private void send(int uploads) throws IOException {
        left = uploads;
        try (Load load = Load.on(to, Math.min(uploads, UPLOADS_AT_ONCE), Uploading::new)) {
            load.runAll();
        }
    }

    /** Of the straight line with the least squares, for each sample. */
    static double slope(List<Long> samples) {
        double middle = (samples.size() - 1) / 2.0;
        double mean = samples.stream().mapToLong(Long::longValue).average().orElse(0);
        double above = 0;
        double below = 0;
        for (int i = 0; i < samples.size(); i++) {
            above += (i - middle) * (samples.get(i) - mean);
            below += (i - middle) * (i - middle);
        }
        return below == 0 ? 0 : above / below;
    }

    private final class Uploading implements Asker {
        @Override
        public ByteBuffer @Nullable [] next() {
            if (left == 0) {
                return null;
            }
            left--;
            return new ByteBuffer[] {Requests.upload(to, Requests.key(random), UPLOAD_BYTES), body.duplicate()};
        }

        @Override
        public void answered(Reply reply) {
            if (reply.status() != 200) {
                throw new IllegalStateException("an upload was answered with " + reply.text());
            }
        }
    }
}
