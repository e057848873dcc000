package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;
import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.redis.metadata.RedisMetadataStore;

/** Spring Integration's metadata store: put if absent, then replaced by the result. */
final class SpringIntegration implements Subject {
    private static final String PROCESSING = "PROCESSING";

    private final Traits traits;
    private final ConcurrentMetadataStore store;
    private final Completion completion;

    private SpringIntegration(String suffix, ConcurrentMetadataStore store, Completion completion) {
        this.traits = new Traits(
                "Spring Integration" + suffix,
                Kind.STORES_RESULT,
                Set.of(Workload.FIRST, Workload.REPLAY, Workload.MIX, Workload.HOT),
                Feature.RESULT);
        this.store = store;
        this.completion = completion;
    }

    private interface Completion {
        boolean of(String key, String result);
    }

    static SpringIntegration jdbc(DataSource source, String suffix) {
        // as in the schema files of the library, the same for all databases here
        Sql.execute(
                source,
                "create table if not exists INT_METADATA_STORE (METADATA_KEY varchar(255) not null,"
                        + " METADATA_VALUE varchar(4000), REGION varchar(100) not null,"
                        + " constraint INT_METADATA_STORE_PK primary key (METADATA_KEY, REGION))");
        JdbcMetadataStore store = new JdbcMetadataStore(source);
        store.afterPropertiesSet();
        return new SpringIntegration(suffix, store, (key, result) -> store.replace(key, PROCESSING, result));
    }

    /** All keys are in one hash, which a replacing caller would watch: with many of them, nearly all would try again and again. */
    static SpringIntegration redis(RedisConnectionFactory connections) {
        RedisMetadataStore store = new RedisMetadataStore(connections);
        return new SpringIntegration("", store, (key, result) -> {
            store.put(key, result);
            return true;
        });
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) {
        String found = store.putIfAbsent(key, PROCESSING);
        if (found != null) {
            return found.equals(PROCESSING) ? null : found;
        }
        String result = business.run(key);
        if (!completion.of(key, result)) {
            throw new IllegalStateException("the result could not be stored");
        }
        return result;
    }
}
