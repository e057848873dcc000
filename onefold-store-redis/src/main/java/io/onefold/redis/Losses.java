package io.onefold.redis;

import io.onefold.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;

/**
 * Notices that a Redis has lost what it knew: flushed, restarted without its data, or a part of a cluster of which nothing is left.
 * Each bucket has a key that is there from the beginning, and no claim is granted where it is missing. Who asks then would run again
 * what was done long ago; so nobody runs anything until what was lost would have been forgotten anyway, or somebody accepts the loss. The
 * first claim that meets the loss writes down until when: it is the same for all nodes, and for those that start later.
 */
final class Losses {
    private static final Logger LOG = LoggerFactory.getLogger(Losses.class);
    private static final String LOST = "LOST ";
    private static final byte[] ALIVE = Command.bytes("1");
    private static final byte[] UNLESS_THERE = Command.bytes("NX");
    private static final int LOOKS = 20;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Wire wire;
    private final Places places;
    private final Duration closed;
    private volatile boolean told;

    /**
     * @param closed for how long nothing is claimed after a loss
     */
    Losses(Wire wire, Places places, Duration closed) {
        this.wire = wire;
        this.places = places;
        this.closed = closed;
    }

    Duration closed() {
        return closed;
    }

    /** Begins with an empty Redis, or with one that has all that it should have. Another node may be beginning just now. */
    void begin() {
        int missing = missing();
        for (int look = 0; missing > 0 && missing < Places.BUCKETS && look < LOOKS; look++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            missing = missing();
        }
        if (missing == Places.BUCKETS) {
            write(ALIVE, UNLESS_THERE);
        } else if (missing > 0) {
            tell(missing + " of " + Places.BUCKETS + " buckets");
        }
    }

    /** What a server said instead of an answer; or, if it said that something was lost, what follows from that. */
    RuntimeException heard(RuntimeException failure) {
        String said = String.valueOf(failure.getMessage());
        int at = said.indexOf(LOST);
        if (at < 0) {
            return failure;
        }
        tell(said.substring(at + LOST.length()));
        return new StoreException(
                "Redis has lost records, so that something might be done a second time: " + consequence());
    }

    void accept() {
        write(ALIVE);
        told = false;
    }

    private void tell(String what) {
        if (!told) {
            told = true;
            LOG.error("Redis has lost records ({}): {}", what, consequence());
        }
    }

    private String consequence() {
        return "nothing is claimed there for " + closed + ", or until RedisStore.acceptLoss()";
    }

    private void write(byte[]... values) {
        List<Command> all = new ArrayList<>();
        for (Bucket bucket : places.buckets()) {
            byte[][] arguments = new byte[1 + values.length][];
            arguments[0] = bucket.alive();
            System.arraycopy(values, 0, arguments, 1, values.length);
            all.add(Command.of(bucket.slot(), Protocol.Command.SET, arguments));
        }
        var unused = wire.sendAll(all);
    }

    private int missing() {
        List<Command> looks = new ArrayList<>();
        for (Bucket bucket : places.buckets()) {
            looks.add(Command.of(bucket.slot(), Protocol.Command.EXISTS, bucket.alive()));
        }
        return (int)
                wire.sendAll(looks).stream().filter(Long.valueOf(0)::equals).count();
    }
}
