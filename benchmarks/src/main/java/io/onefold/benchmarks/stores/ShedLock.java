package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.jspecify.annotations.Nullable;

/** A lock alone: keeps two from running at once, and forgets that it ran. */
final class ShedLock implements Subject {
    private static final Duration AT_MOST = Duration.ofSeconds(30);

    private final Traits traits;
    private final JdbcTemplateLockProvider locks;

    ShedLock(DataSource source, String suffix) {
        this.traits = new Traits("ShedLock" + suffix, Kind.WEAKER, Set.of(Workload.FIRST), Feature.LEASE);
        Sql.execute(
                source,
                "create table if not exists shedlock (name varchar(64) not null primary key, lock_until timestamp not null,"
                        + " locked_at timestamp not null, locked_by varchar(255) not null)");
        locks = new JdbcTemplateLockProvider(source);
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) {
        SimpleLock lock = locks.lock(new LockConfiguration(Instant.now(), key, AT_MOST, Duration.ZERO))
                .orElse(null);
        if (lock == null) {
            return null;
        }
        try {
            return business.run(key);
        } finally {
            lock.unlock();
        }
    }
}
