package io.onefold.jdbc;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ColumnUpdate;
import io.onefold.store.PayloadRejectedException;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.ResultPayload;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.Takeover.TakeoverReason;
import io.onefold.store.UpdateResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Claims and changes that go on their own. Each statement is committed by itself. */
final class SingleStatements {
    private static final int ROUNDS = 100;

    private final ConnectionRunner connections;
    private final Dialect dialect;
    private final StatementPreparer statements;
    private final Function<RecordId, TableStatements> tables;
    private final OverwrittenRecords earlierEnds;

    SingleStatements(JdbcContext backing) {
        this.connections = backing.connections();
        this.dialect = backing.dialect();
        this.statements = backing.statements();
        this.tables = backing.tables();
        this.earlierEnds = new OverwrittenRecords(dialect, statements);
    }

    ClaimResult claim(Claim claim) {
        TableStatements table = tables.apply(claim.id());
        return connections.eachAlone(() -> "claiming " + claim.id(), connection -> {
            Takeover take = claim.take();
            if (take != null && take(connection, table, claim, take)) {
                RecordSnapshot seen = dialect.find(statements, connection, table, claim.id());
                if (seen != null) {
                    return Dialect.answer(claim, seen, true);
                }
            }
            for (int round = 0; round < ROUNDS; round++) {
                BatchItemResult<ClaimResult> answer = dialect.exchange(
                                statements, connection, table, List.of(claim), List.of())
                        .claims()
                        .get(0);
                if (answer != null) {
                    return answer.get();
                }
            }
            throw new StoreException(claim.id() + " was neither free to insert nor to be seen, " + ROUNDS + " times");
        });
    }

    private boolean take(Connection connection, TableStatements table, Claim claim, Takeover take) throws SQLException {
        if (take.grounds() != TakeoverReason.OVERWRITE || claim.mark()) {
            return taken(connection, table, claim, take, null);
        }
        RecordSnapshot seen = dialect.find(statements, connection, table, claim.id());
        return seen != null
                && take.allows(seen.record(), seen.now())
                && taken(connection, table, claim, take, seen.record());
    }

    /**
     * Returns true if the record was taken.
     *
     * @param keeping the finished record to keep, so that its end can be put back; null if none
     */
    private boolean taken(
            Connection connection, TableStatements table, Claim claim, Takeover take, @Nullable StoredRecord keeping)
            throws SQLException {
        String text = keeping == null ? table.taking("take", take.grounds()) : table.overwriting();
        try (PreparedStatement statement = statements.prepare(connection, text)) {
            int at = 1;
            if (keeping != null) {
                statement.setBytes(at++, OverwrittenRecords.bytes(keeping));
            }
            dialect.uuid(statement, at++, claim.owner());
            statement.setInt(at++, claim.mark() ? 1 : 0);
            statement.setInt(at++, take.startsAnew() ? 1 : 0);
            statement.setLong(at++, ColumnUpdate.micros(claim.lease()));
            statement.setInt(at++, claim.attempts());
            statement.setBytes(at++, claim.print().hash());
            statement.setBytes(at++, claim.print().fields());
            statement.setBytes(at++, ColumnFormat.joined(claim.superseded()));
            statement.setBytes(at++, claim.checkpoint());
            statement.setString(at++, claim.bizId());
            dialect.uuid(statement, at++, claim.id().uuid());
            statement.setLong(at++, take.fence());
            at = bindNames(statement, at, claim.id());
            if (keeping != null) {
                statement.setLong(at++, keeping.times().updatedAt());
                statement.setString(at, Objects.requireNonNullElse(ColumnFormat.of(keeping.payload()), ""));
            }
            return statement.executeUpdate() == 1;
        }
    }

    UpdateResult update(RecordUpdate update) {
        if (update.change() instanceof Change.Mirror mirror) {
            return mirror(update.ticket().id(), mirror);
        }
        TableStatements table = tables.apply(update.ticket().id());
        ResultPayload payload = ColumnUpdate.of(update.change()).payload();
        boolean made;
        try {
            made = connections.eachAlone(() -> "changing " + update.ticket().id(), connection -> {
                if (payload != null && dialect.refuses(statements, connection, payload)) {
                    throw refused(update.ticket().id(), null);
                }
                return Boolean.TRUE.equals(dialect.exchange(statements, connection, table, List.of(), List.of(update))
                        .changes()
                        .get(0));
            });
        } catch (StoreException e) {
            if (payload != null
                    && e.getCause() instanceof SQLException cause
                    && dialect.trouble(cause) == SqlErrorKind.REFUSED) {
                throw refused(update.ticket().id(), cause);
            }
            throw e;
        }
        return made ? UpdateResult.APPLIED : judge(update);
    }

    /** The database's own message may hold what it refuses: it is the cause's alone. */
    static PayloadRejectedException refused(RecordId id, @Nullable SQLException cause) {
        String why = cause == null ? "larger than max_allowed_packet" : "SQL state " + cause.getSQLState();
        return new PayloadRejectedException("the database refuses the payload of " + id + ": " + why, cause);
    }

    /** Decides on a change that found nothing to change: it was made before, an earlier end is put back, or it is lost. */
    UpdateResult judge(RecordUpdate update) {
        ColumnUpdate to = ColumnUpdate.of(update.change());
        boolean made = madeBefore(update, to) || (to.frees() && (restored(update, to) || madeBefore(update, to)));
        return made ? UpdateResult.APPLIED : UpdateResult.LOST;
    }

    private boolean madeBefore(RecordUpdate update, ColumnUpdate to) {
        RecordId id = update.ticket().id();
        TableStatements table = tables.apply(id);
        return connections.eachAlone(() -> "finding " + id, connection -> {
            RecordSnapshot seen = dialect.find(statements, connection, table, id);
            if (seen == null) {
                return false;
            }
            id.requireSame(seen.record().id());
            boolean made = to.madeBefore(seen.record(), update.ticket());
            if (made) {
                // false if somebody has changed the record since; that does not matter, since that change came after
                // this one
                boolean unused = dialect.confirm(
                        statements, connection, table, id, seen.record().owner());
            }
            return made;
        });
    }

    /** Makes sure that a record that was found is as durable as one whose commit was acknowledged. */
    void confirm(RecordId id, UUID owner) {
        boolean unused = connections.eachAlone(
                () -> "confirming " + id,
                connection -> dialect.confirm(statements, connection, tables.apply(id), id, owner));
    }

    private boolean restored(RecordUpdate update, ColumnUpdate to) {
        RecordId id = update.ticket().id();
        UUID owner = to.restorer(update.ticket());
        return connections.eachAlone(
                () -> "putting back the earlier end of " + id,
                connection -> earlierEnds.restore(
                        connection, tables.apply(id), update.ticket(), owner, 0, to.fromOne(), to.fromOther()));
    }

    @Nullable
    RecordSnapshot find(RecordId id) {
        TableStatements table = tables.apply(id);
        RecordSnapshot seen = connections
                .eachAlone(
                        () -> "finding " + id,
                        connection -> Optional.ofNullable(dialect.find(statements, connection, table, id)))
                .orElse(null);
        if (seen != null) {
            id.requireSame(seen.record().id());
        }
        return seen;
    }

    private UpdateResult mirror(RecordId id, Change.Mirror mirror) {
        TableStatements table = tables.apply(id);
        boolean written = connections.eachAlone(
                () -> "mirroring " + id,
                connection -> write(connection, table.get("mirror"), id, mirror, false)
                        || write(connection, table.get("copy"), id, mirror, true)
                        // somebody else's copy came in between
                        || write(connection, table.get("mirror"), id, mirror, false));
        if (!written) {
            var unused = find(id);
        }
        return written ? UpdateResult.APPLIED : UpdateResult.LOST;
    }

    private boolean write(Connection connection, String text, RecordId id, Change.Mirror mirror, boolean inserts)
            throws SQLException {
        StoredRecord record = mirror.record();
        boolean open = !record.status().sweepable();
        boolean tombstone = record.status().finished() && record.payload() == null;
        long keep = ColumnUpdate.micros(mirror.keepLeft());
        long gone = keep + ColumnUpdate.micros(mirror.tombstone());
        ResultPayload payload = record.payload();
        try (PreparedStatement statement = statements.prepare(connection, text)) {
            int at = 1;
            dialect.uuid(statement, at++, record.owner());
            statement.setLong(at++, record.fence());
            statement.setLong(at++, record.times().createdAt());
            Dialect.setLong(statement, at++, open ? (Long) ColumnUpdate.micros(mirror.leaseLeft()) : null);
            Dialect.setLong(statement, at++, open ? null : (Long) (tombstone ? gone : keep));
            Dialect.setLong(statement, at++, open ? null : (Long) (tombstone ? keep : gone));
            statement.setInt(at++, record.attempts());
            statement.setInt(at++, record.status().code());
            statement.setBytes(at++, record.prints().hash());
            statement.setBytes(at++, record.prints().fields());
            statement.setBytes(at++, ColumnFormat.joined(record.prints().superseded()));
            statement.setString(at++, ColumnFormat.of(payload));
            statement.setBytes(at++, payload == null ? null : payload.bytes());
            statement.setBytes(at++, record.checkpoint());
            statement.setString(at++, record.bizId());
            dialect.uuid(statement, at++, id.uuid());
            if (inserts) {
                statement.setString(at++, id.scope());
                statement.setString(at++, id.operation());
                statement.setString(at, id.key());
                return dialect.insertUnlessThere(statement);
            }
            at = bindNames(statement, at, id);
            statement.setLong(at++, record.fence());
            statement.setLong(at, record.fence());
            return statement.executeUpdate() == 1;
        }
    }

    static int bindNames(PreparedStatement statement, int from, RecordId id) throws SQLException {
        int at = from;
        statement.setString(at++, id.scope());
        statement.setString(at++, id.operation());
        statement.setString(at++, id.key());
        statement.setString(at++, id.alias());
        return at;
    }
}
