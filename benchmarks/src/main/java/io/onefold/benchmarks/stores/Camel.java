package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.camel.processor.idempotent.jdbc.JdbcMessageIdRepository;
import org.jspecify.annotations.Nullable;

/** Apache Camel's idempotent repository: knows that a key was there, not what came of it. */
final class Camel implements Subject {
    private final Traits traits;
    private final JdbcMessageIdRepository repository;

    Camel(DataSource source, String suffix) {
        this.traits = new Traits("Camel" + suffix, Kind.WEAKER, Set.of(Workload.FIRST, Workload.REPLAY, Workload.MIX));
        repository = new JdbcMessageIdRepository(source, "bench");
        repository.start();
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) {
        if (!repository.add(key)) {
            return null;
        }
        String result = business.run(key);
        repository.confirm(key);
        return result;
    }

    @Override
    public void close() {
        repository.stop();
    }
}
