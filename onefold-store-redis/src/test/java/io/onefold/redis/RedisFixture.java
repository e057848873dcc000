package io.onefold.redis;

import io.onefold.store.Store;
import io.onefold.store.contract.StoreFixture;

/** One Redis for all cases of a class, and a second handle with connections of its own. */
final class RedisFixture implements StoreFixture {
    private final Redis redis;
    private final Store store;
    private final Store reopened;

    /** Two stores, and the Redis of one of them. */
    RedisFixture(Redis redis, Redis other) {
        this(redis, RedisStore.of(redis), RedisStore.of(other));
    }

    RedisFixture(Redis redis, Store store, Store reopened) {
        this.redis = redis;
        this.store = store;
        this.reopened = reopened;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store reopened() {
        return reopened;
    }

    @Override
    public boolean forgetsByItself() {
        return true;
    }

    /** By default the time of a listing is taken, and one of finished records looks at every key. */
    @Override
    public long now() {
        return redis.wire().now();
    }

    /** Stays open for the other cases. */
    @Override
    public void close() {}
}
