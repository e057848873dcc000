package io.onefold.spring.boot;

import io.onefold.store.Filter;
import io.onefold.store.FrontDoor;
import io.onefold.store.Page;
import io.onefold.store.Store;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Down only if the store cannot be asked: what is stuck needs somebody's care, and taking the node away helps nobody. */
final class StoreHealth extends AbstractHealthIndicator {
    private static final int MANY = 100;

    private final Store store;

    StoreHealth(Store store) {
        super("the store could not be asked");
        this.store = store;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Page page = store.list(Filter.stuck(), null, MANY);
        String more = page.next() == null ? "" : "+";
        builder.up()
                .withDetail("store", store.getClass().getSimpleName())
                .withDetail("stuck", page.records().size() + more);
        if (store instanceof FrontDoor door) {
            builder.withDetail("front", door.health().open() ? "in use" : "left alone");
        }
    }
}
