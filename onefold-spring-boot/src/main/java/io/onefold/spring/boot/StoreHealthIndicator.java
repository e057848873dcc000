package io.onefold.spring.boot;

import io.onefold.store.Store;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Down only if the store cannot be asked: what is stuck needs somebody's care, and taking the node away helps nobody. */
final class StoreHealthIndicator extends AbstractHealthIndicator {
    private final Store store;

    StoreHealthIndicator(Store store) {
        super("the store could not be asked");
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up().withDetails(StoreHealthDetails.of(store));
    }
}
