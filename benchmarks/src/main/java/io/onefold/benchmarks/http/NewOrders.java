package io.onefold.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Asks for a new order each time. */
final class NewOrders implements Asker {
    private final InetSocketAddress to;
    private final boolean keyed;
    private final SplittableRandom random;
    private final long most;
    private final List<Known> done = new ArrayList<>();
    private long asked;
    private String key = "";

    /**
     * @param most how many; they are remembered unless there is no end
     */
    NewOrders(InetSocketAddress to, boolean keyed, SplittableRandom random, long most) {
        this.to = to;
        this.keyed = keyed;
        this.random = random;
        this.most = most;
    }

    /** A key with the answer to whoever was first. */
    record Known(String key, byte[] answer) {}

    List<Known> done() {
        return done;
    }

    @Override
    public ByteBuffer @Nullable [] next() {
        if (asked++ == most) {
            return null;
        }
        key = Requests.key(random);
        return new ByteBuffer[] {Requests.order(to, Service.ORDERS, key, keyed)};
    }

    @Override
    public void answered(Reply reply) {
        byte[] beginning = Order.beginning(key).getBytes(US_ASCII);
        if (reply.status() != 200
                || reply.body().remaining() != Order.ANSWERED_BYTES
                || reply.body().slice(0, beginning.length).compareTo(ByteBuffer.wrap(beginning)) != 0) {
            throw new IllegalStateException("a new order was answered with " + reply.text());
        }
        if (most < Long.MAX_VALUE) {
            done.add(new Known(key, reply.bytes()));
        }
    }
}
