package io.onefold.redis;

import io.onefold.servers.RedisCluster;
import io.onefold.servers.RedisSentinel;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.RecordId;
import io.onefold.store.ResultPayload;
import io.onefold.store.RetentionPeriod;
import io.onefold.store.Store;
import io.onefold.store.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What tests of this module share: ways to servers, and short words for claims and ends. */
final class Redises {
    static final Duration LEASE = Duration.ofMinutes(1);
    static final ResultPayload DONE =
            new ResultPayload(ResultPayload.Kind.VALUE, "text", 1, null, "done".getBytes(StandardCharsets.UTF_8));
    static final Change COMPLETE = new Change.Complete(DONE, RetentionPeriod.of(Duration.ofHours(1)));

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Redises() {}

    static RedisConnections of(RedisCluster cluster) {
        return RedisConnections.builder()
                .cluster(cluster.ports().stream()
                        .map(port -> "127.0.0.1:" + port)
                        .toArray(String[]::new))
                .build();
    }

    static RedisConnections of(RedisSentinel sentinel) {
        return RedisConnections.builder()
                .sentinel(
                        sentinel.masterName(),
                        sentinel.sentinelPorts().stream()
                                .map(port -> "127.0.0.1:" + port)
                                .toArray(String[]::new))
                .build();
    }

    static RecordId id() {
        return RecordId.of("", "op", UUID.randomUUID().toString());
    }

    /** In the first bucket, so that one slot has them all. */
    static RecordId idInBucket(int bucket) {
        RecordId id = id();
        while (id.high() >>> 56 != bucket) {
            id = id();
        }
        return id;
    }

    static Ticket claimed(Store store) {
        return claimed(store, id());
    }

    static Ticket claimed(Store store, RecordId id) {
        UUID owner = UUID.randomUUID();
        ClaimResult.Acquired won = (ClaimResult.Acquired) store.claim(Claim.of(id, owner, LEASE));
        return new Ticket(id, owner, won.fence());
    }

    static String key(RecordId id) {
        return new String(new KeyLayout("onefold").of(id).key(), StandardCharsets.US_ASCII);
    }

    static void await(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
