package io.onefold.benchmarks.http;

import io.onefold.benchmarks.http.NewOrders.Known;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/** Asks for what was done before, and wants the answer of then. */
final class Replays implements Asker {
    private static final byte[] MARK = Reply.line("Idempotent-Replayed: true");

    private final InetSocketAddress to;
    private final List<Known> known;
    private final SplittableRandom random;
    private Known asked;

    Replays(InetSocketAddress to, List<Known> known, SplittableRandom random) {
        this.to = to;
        this.known = known;
        this.random = random;
        this.asked = known.get(0);
    }

    @Override
    public ByteBuffer[] next() {
        asked = known.get(random.nextInt(known.size()));
        return new ByteBuffer[] {Requests.order(to, Service.ORDERS, asked.key(), true)};
    }

    @Override
    public void answered(Reply reply) {
        if (reply.status() != 200 || !reply.has(MARK) || reply.body().compareTo(ByteBuffer.wrap(asked.answer())) != 0) {
            throw new IllegalStateException("a known order was answered with " + reply.text());
        }
    }
}
