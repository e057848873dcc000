package io.onefold.jdbc;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.GroupCommit.BatchResults;
import io.onefold.store.RecordId;
import io.onefold.store.RecordUpdate;
import io.onefold.store.StoreException;
import io.onefold.store.UpdateResult;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims and changes that are sent together, no two for one record: one commit for all, or one for the claims and one for the changes. If a
 * batch fails, each call is sent again on its own, so that no call fails because of another. Only if the connection is lost do they all
 * fail: it is unknown whether the commit happened, and a caller that asks again is recognised by its owner.
 */
final class BatchStatements {
    private final ConnectionRunner connections;
    private final Dialect dialect;
    private final StatementPreparer statements;
    private final Function<RecordId, TableStatements> tables;
    private final SingleStatements singles;

    BatchStatements(JdbcContext backing, SingleStatements singles) {
        this.connections = backing.connections();
        this.dialect = backing.dialect();
        this.statements = backing.statements();
        this.tables = backing.tables();
        this.singles = singles;
    }

    BatchResults send(List<Claim> claims, List<RecordUpdate> updates) {
        Map<TableStatements, TableBatch> loads = new TreeMap<>(Comparator.comparing(TableStatements::toString));
        int shared = 0;
        for (Claim claim : claims) {
            if (claim.take() == null) {
                loads.computeIfAbsent(tables.apply(claim.id()), table -> new TableBatch())
                        .claims
                        .add(claim);
                shared++;
            }
        }
        for (RecordUpdate update : updates) {
            // large updates go alone: if one is rejected, no other call fails with it
            if (!(update.change() instanceof Change.Mirror)
                    && ParameterChunks.bytes(update) <= ParameterChunks.MOST_BYTES) {
                loads.computeIfAbsent(tables.apply(update.ticket().id()), table -> new TableBatch())
                        .updates
                        .add(update);
                shared++;
            }
        }
        if (shared > 1 && dialect.combines()) {
            travel(loads);
        }
        return replies(claims, updates, loads);
    }

    private void travel(Map<TableStatements, TableBatch> loads) {
        try {
            ConnectionRunner.ConnectionStep<Boolean> step = connection -> exchange(connection, loads);
            if (dialect.needsTransaction() || loads.size() > 1) {
                connections.inTransaction(step);
            } else {
                connections.borrowed(step);
            }
        } catch (SQLException e) {
            loads.values().forEach(load -> load.trip = null);
            if (unreachable(e)) {
                throw new StoreException("the connection was lost: " + e.getMessage(), e);
            }
        } catch (RuntimeException e) {
            // one of them could not be written, because a function of the user's failed: sent alone, each shows its own
            // result
            loads.values().forEach(load -> load.trip = null);
        }
    }

    /** Sends the loads in the order of their ids, so that two batches rarely deadlock; if they do, each call goes alone. */
    private boolean exchange(Connection connection, Map<TableStatements, TableBatch> loads) throws SQLException {
        for (Map.Entry<TableStatements, TableBatch> entry : loads.entrySet()) {
            TableBatch load = entry.getValue();
            load.claims.sort(Comparator.comparing(Claim::id));
            load.updates.sort(Comparator.comparing(update -> update.ticket().id()));
            load.trip = dialect.exchange(statements, connection, entry.getKey(), load.claims, load.updates);
        }
        return true;
    }

    /**
     * Collects the replies. Calls without an answer from the batch go alone: takes, copies, claims that neither inserted nor saw, changes
     * not made.
     */
    private BatchResults replies(
            List<Claim> claims, List<RecordUpdate> updates, Map<TableStatements, TableBatch> loads) {
        Map<RecordId, BatchItemResult<ClaimResult>> claimed = new LinkedHashMap<>();
        Map<RecordId, Boolean> made = new LinkedHashMap<>();
        for (TableBatch load : loads.values()) {
            Dialect.DialectBatchResult trip = load.trip;
            for (int i = 0; trip != null && i < load.claims.size(); i++) {
                BatchItemResult<ClaimResult> answer = trip.claims().get(i);
                if (answer != null) {
                    claimed.put(load.claims.get(i).id(), answer);
                }
            }
            for (int i = 0; trip != null && i < load.updates.size(); i++) {
                made.put(load.updates.get(i).ticket().id(), trip.changes().get(i));
            }
        }
        SingleFallback rest = new SingleFallback();
        List<BatchItemResult<ClaimResult>> toClaims = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            BatchItemResult<ClaimResult> answer = claimed.get(claim.id());
            toClaims.add(answer == null ? rest.send(() -> singles.claim(claim)) : answer);
        }
        List<BatchItemResult<UpdateResult>> toUpdates = new ArrayList<>(updates.size());
        for (RecordUpdate update : updates) {
            Boolean applied = made.get(update.ticket().id());
            if (applied == null) {
                toUpdates.add(rest.send(() -> singles.update(update)));
            } else {
                toUpdates.add(
                        applied ? BatchItemResult.of(UpdateResult.APPLIED) : rest.send(() -> singles.judge(update)));
            }
        }
        return new BatchResults(toClaims, toUpdates);
    }

    /** Sends calls alone, one after another. Once the database cannot be reached, the other calls fail at once. */
    private final class SingleFallback {
        private @Nullable StoreException unreachable;

        <T> BatchItemResult<T> send(Supplier<T> call) {
            if (unreachable != null) {
                return BatchItemResult.failed(unreachable);
            }
            return BatchItemResult.from(() -> {
                try {
                    return call.get();
                } catch (StoreException e) {
                    if (e.getCause() instanceof SQLException cause && unreachable(cause)) {
                        unreachable = e;
                    }
                    throw e;
                }
            });
        }
    }

    /** Returns true if the database cannot be reached. Sending each call alone would then fail as well, and wait as many times. */
    private boolean unreachable(SQLException e) {
        return e instanceof ConnectionRunner.NoConnectionException || dialect.trouble(e) == SqlErrorKind.CONNECTION;
    }

    /** The claims and updates for one table. */
    private static final class TableBatch {
        final List<Claim> claims = new ArrayList<>();
        final List<RecordUpdate> updates = new ArrayList<>();
        Dialect.@Nullable DialectBatchResult trip;
    }
}
