package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** Redisson as it comes: a lock around the business, and its result in a bucket. */
final class RedissonLock implements Subject {
    private static final Traits TRAITS = new Traits(
            "Redisson lock and bucket",
            Kind.STORES_RESULT,
            Set.of(Workload.FIRST, Workload.REPLAY, Workload.MIX, Workload.HOT),
            Feature.RESULT,
            Feature.LEASE,
            Feature.EXPIRY);
    private static final Duration KEEP = Duration.ofDays(1);

    private final RedissonClient client;

    RedissonLock(String uri) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        client = Redisson.create(config);
    }

    @Override
    public Traits traits() {
        return TRAITS;
    }

    @Override
    public @Nullable String call(String key, Business business) {
        RBucket<String> bucket = client.getBucket("redisson:" + key, StringCodec.INSTANCE);
        String found = bucket.get();
        if (found != null) {
            return found;
        }
        RLock lock = client.getLock("redisson:lock:" + key);
        if (!lock.tryLock()) {
            return null;
        }
        try {
            found = bucket.get(); // another may have been faster
            if (found == null) {
                found = business.run(key);
                bucket.set(found, KEEP);
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
