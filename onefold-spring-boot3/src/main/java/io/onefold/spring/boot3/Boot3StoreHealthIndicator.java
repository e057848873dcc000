package io.onefold.spring.boot3;

import io.onefold.spring.boot.StoreHealthDetails;
import io.onefold.store.Store;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** Down only if the store cannot be asked. */
final class Boot3StoreHealthIndicator extends AbstractHealthIndicator {
    private final Store store;

    Boot3StoreHealthIndicator(Store store) {
        super("the store could not be asked");
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up().withDetails(StoreHealthDetails.of(store));
    }
}
