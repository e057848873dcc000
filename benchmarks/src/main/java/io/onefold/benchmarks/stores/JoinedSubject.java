package io.onefold.benchmarks.stores;

import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import io.onefold.jdbc.JdbcStore;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Onefold with record and business insert in one transaction. */
final class JoinedSubject implements Subject {
    private static final Operation<String> PLACE =
            Operation.of("place-order-joined", String.class).repeatOnConflict();

    private final Traits traits = new Traits(
            OnefoldSubject.JOINED, Traits.Kind.ONEFOLD, Set.of(Workload.JOINED), EnumSet.allOf(Traits.Feature.class));
    private final Onefold onefold;
    private final Orders orders;

    JoinedSubject(DataSource source, Orders orders) {
        this.onefold = Onefold.on(JdbcStore.of(source));
        this.orders = orders;
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) throws SQLException {
        Key matching = Key.of(key).matching(business.request(key));
        Outcome<String> outcome = onefold.attemptInTransaction(PLACE, matching, (attempt, connection) -> {
            String result = business.run(key);
            orders.insert(connection, key, result);
            return result;
        });
        return outcome instanceof Outcome.InProgress ? null : outcome.orThrow();
    }

    @Override
    public void close() {
        onefold.close();
    }
}
