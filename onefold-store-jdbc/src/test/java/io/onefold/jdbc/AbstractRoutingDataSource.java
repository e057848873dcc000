package io.onefold.jdbc;

import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A source that asks the thread which database it means, under the name that Spring and others give such a class. */
class AbstractRoutingDataSource extends ForwardingDataSource {
    static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    private final Map<String, DataSource> byTenant;

    /** @param usual what threads without a tenant mean */
    AbstractRoutingDataSource(Map<String, DataSource> byTenant, DataSource usual) {
        super(usual);
        this.byTenant = byTenant;
    }

    @Override
    DataSource target() {
        String tenant = TENANT.get();
        return tenant == null ? super.target() : Objects.requireNonNull(byTenant.get(tenant));
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : super.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
