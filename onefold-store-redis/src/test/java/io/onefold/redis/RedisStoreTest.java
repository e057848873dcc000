package io.onefold.redis;

import io.onefold.servers.RedisServer;
import io.onefold.store.contract.StoreContract;
import io.onefold.store.contract.StoreFixture;

class RedisStoreTest extends StoreContract {
    private static final RedisFixture FIXTURE = new RedisFixture(redis(), redis());

    private static RedisConnections redis() {
        return RedisConnections.at(RedisServer.shared().uri());
    }

    @Override
    protected StoreFixture open() {
        return FIXTURE;
    }
}
