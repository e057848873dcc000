package io.onefold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.onefold.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;

/**
 * Notices that a Redis has lost what it knew: flushed, restarted without its data, or a part of a cluster of which nothing is left.
 * Each bucket has a key that is there from the beginning, and no claim is granted where it is missing. Who asks then would run again
 * what was done long ago; so nobody runs anything until what was lost would have been forgotten anyway, or somebody accepts the loss.
 */
final class Losses {
    private static final Logger LOG = LoggerFactory.getLogger(Losses.class);
    private static final int LOOKS = 20;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Wire wire;
    private final Places places;
    private final Duration closed;
    private final LongSupplier nanos;
    private final Map<String, Long> lost = new ConcurrentHashMap<>();

    /**
     * @param closed for how long nothing is claimed after a loss
     */
    Losses(Wire wire, Places places, Duration closed, LongSupplier nanos) {
        this.wire = wire;
        this.places = places;
        this.closed = closed;
        this.nanos = nanos;
    }

    /** Begins with an empty Redis, or with one that has all that it should have. Another node may be beginning just now. */
    void begin() {
        int missing = missing();
        for (int look = 0; missing > 0 && missing < Places.BUCKETS && look < LOOKS; look++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            missing = missing();
        }
        if (missing == Places.BUCKETS) {
            accept();
        } else if (missing > 0) {
            LOG.error("Redis has lost records ({} of {} buckets): {}", missing, Places.BUCKETS, consequence());
        }
    }

    /** A claim was granted or answered in this bucket. */
    void present(Bucket bucket) {
        if (!lost.isEmpty()) {
            lost.remove(name(bucket));
        }
    }

    /** What a server said instead of an answer; or, if it said that something was lost, what follows from that. */
    RuntimeException heard(RuntimeException failure, Bucket bucket) {
        if (!String.valueOf(failure.getMessage()).contains("LOST ")) {
            return failure;
        }
        long now = nanos.getAsLong();
        Long since = lost.putIfAbsent(name(bucket), now);
        if (since == null) {
            LOG.error("Redis has lost records (of {}): {}", name(bucket), consequence());
        } else if (now - since >= closed.toNanos()) {
            LOG.warn("Redis lost records {} ago, which would be forgotten by now: claims are granted again", closed);
            accept();
        }
        return new StoreException(
                "Redis has lost records, so that something might be done a second time: " + consequence());
    }

    private String consequence() {
        return "nothing is claimed there for " + closed + ", or until RedisStore.acceptLoss()";
    }

    private static String name(Bucket bucket) {
        return new String(bucket.records(), US_ASCII);
    }

    void accept() {
        List<Command> all = new ArrayList<>();
        for (Bucket bucket : places.buckets()) {
            all.add(Command.of(
                    bucket.slot(), Protocol.Command.SET, bucket.alive(), Command.bytes("1"), Command.bytes("NX")));
        }
        var unused = wire.sendAll(all);
        lost.clear();
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
