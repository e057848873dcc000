package io.onefold.redis;

import io.onefold.servers.RedisCluster;
import io.onefold.store.contract.StoreContract;
import io.onefold.store.contract.StoreFixture;
import org.junit.jupiter.api.AfterAll;

class ClusterStoreTest extends StoreContract {
    private static final RedisCluster CLUSTER = RedisCluster.start();
    private static final RedisFixture FIXTURE = new RedisFixture(Redises.of(CLUSTER), Redises.of(CLUSTER));

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    @Override
    protected StoreFixture open() {
        return FIXTURE;
    }
}
