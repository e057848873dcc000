package io.onefold.redis;

import io.onefold.servers.RedisCluster;
import io.onefold.store.contract.StoreContract;
import io.onefold.store.contract.StoreFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class ClusterStoreTest extends StoreContract {
    private static @Nullable RedisCluster cluster;
    private static @Nullable RedisFixture fixture;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
        fixture = new RedisFixture(Redises.of(cluster), Redises.of(cluster));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected StoreFixture open() {
        return fixture;
    }
}
