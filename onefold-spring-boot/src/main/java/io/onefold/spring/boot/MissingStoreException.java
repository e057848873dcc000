package io.onefold.spring.boot;

import io.onefold.spring.boot.OnefoldProperties.StoreKind;
import java.util.Collection;

/** What {@code onefold.store} asks for cannot be. */
final class MissingStoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final StoreKind wanted;

    MissingStoreException(StoreKind wanted) {
        super("onefold.store is " + wanted + ", but " + missing(wanted));
        this.wanted = wanted;
    }

    /** @param sources the names of the DataSources, none of which is primary */
    MissingStoreException(Collection<String> sources) {
        super("onefold.store is AUTO, but there are several DataSources, " + String.join(", ", sources)
                + ", and nothing says which is to have the records");
        this.wanted = StoreKind.AUTO;
    }

    private static String missing(StoreKind wanted) {
        return wanted == StoreKind.JDBC
                ? "there is no onefold-store-jdbc on the class path, or not one DataSource to use"
                : "there is no onefold-store-redis on the class path, or nothing says where Redis is";
    }

    String remedy() {
        if (wanted == StoreKind.AUTO) {
            return "Mark one DataSource as @Primary, define a bean of type JdbcStore on the one to use, or set"
                    + " onefold.store=redis or onefold.store=memory.";
        }
        return wanted == StoreKind.JDBC
                ? "Add onefold-store-jdbc and configure spring.datasource; of several DataSources, mark one as @Primary, or"
                        + " define a bean of type JdbcStore on the one to use."
                : "Add onefold-store-redis and set onefold.redis.url, or add spring-boot-starter-data-redis and configure"
                        + " spring.data.redis.";
    }
}
