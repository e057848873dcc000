package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.store.Store;
import io.onefold.store.contract.StoreFixture;
import java.time.Duration;
import java.util.function.Function;

/** One Redis for all cases of a class, and a second handle with connections of its own. */
final class RedisFixture implements StoreFixture {
    private final RedisConnections redis;
    private final Store store;
    private final Store reopened;
    private final Function<StoreScripts, Store> opening;
    private final StoreScripts scripts;

    /** Two stores, and the Redis of one of them. */
    RedisFixture(RedisConnections redis, RedisConnections other) {
        this(
                redis,
                RedisStore.of(redis),
                RedisStore.of(other),
                changed -> RedisStore.builder(other).scripts(changed).build(),
                StoreScripts.OWN);
    }

    /**
     * @param opening opens another store on the same data, with these scripts
     * @param scripts those of the stores
     */
    RedisFixture(
            RedisConnections redis,
            Store store,
            Store reopened,
            Function<StoreScripts, Store> opening,
            StoreScripts scripts) {
        this.redis = redis;
        this.store = store;
        this.reopened = reopened;
        this.opening = opening;
        this.scripts = scripts;
    }

    /** The scripts, by a clock that is behind; Redis itself removes what has expired by its own. */
    @Override
    public Store setClockBack(Duration time) {
        return opening.apply(scripts.changed(script -> behind(script, time)));
    }

    private static LuaScript behind(LuaScript script, Duration time) {
        String text = new String(script.text(), UTF_8);
        return new LuaScript(text.replace("time[1] * 1000000", "(time[1] - " + time.toSeconds() + ") * 1000000")
                .getBytes(UTF_8));
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
