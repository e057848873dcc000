package io.onefold.redis;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.ColumnUpdate;
import io.onefold.store.GroupCommit.BatchResults;
import io.onefold.store.RecordId;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Claims and changes that travel together, no two for one record, in one round trip. Those that one script may touch go with one
 * call of it, which saves most of what a call costs; if it fails, each goes again on its own, so that nobody suffers for another.
 */
final class ScriptPipeline {
    /** Enough for a life that is another now, and for a batch that must be split. */
    private static final int ROUNDS = 4;

    private final CommandPipeline wire;
    private final StoreScripts scripts;
    private final KeyLayout places;
    private final ScriptCalls calls;
    private final @Nullable DataLossGuard losses;

    /**
     * @param losses judges whether anything was lost; null at a front, which may lose what it likes
     */
    ScriptPipeline(
            CommandPipeline wire,
            StoreScripts scripts,
            KeyLayout places,
            byte[] channel,
            @Nullable DataLossGuard losses) {
        this.wire = wire;
        this.scripts = scripts;
        this.places = places;
        this.losses = losses;
        this.calls = new ScriptCalls(scripts, places, channel, losses);
    }

    BatchResults send(List<Claim> claims, List<RecordUpdate> updates) {
        List<BatchItem<ClaimResult>> claiming = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            claiming.add(new BatchItem<>(() -> calls.claim(claim), (now, said) -> claimed(claim, now, said)));
        }
        List<BatchItem<UpdateResult>> updating = new ArrayList<>(updates.size());
        for (RecordUpdate update : updates) {
            updating.add(new BatchItem<>(() -> calls.change(update), (now, said) -> updated(update, said)));
        }
        List<BatchItem<?>> items = new ArrayList<>(claims.size() + updates.size());
        items.addAll(claiming);
        items.addAll(updating);
        send(items);
        return new BatchResults(
                claiming.stream().map(BatchItem::answer).toList(),
                updating.stream().map(BatchItem::answer).toList());
    }

    /** What cannot be written down fails alone, and is not sent. */
    private void send(List<BatchItem<?>> items) {
        List<ScriptBatch> batches = new ArrayList<>();
        Map<Object, ScriptBatch> growing = new HashMap<>();
        for (BatchItem<?> item : items) {
            ScriptCall call = item.call();
            if (call != null) {
                ScriptBatch batch = growing.get(place(call));
                if (batch == null) {
                    batch = new ScriptBatch();
                    batches.add(batch);
                    growing.put(place(call), batch);
                }
                batch.add(item, call);
            }
        }
        for (int round = 1; !batches.isEmpty(); round++) {
            batches = exchange(batches, round < ROUNDS);
        }
    }

    /** What may be called together. */
    private Object place(ScriptCall call) {
        return call.joins()
                ? List.of(
                        call.script(),
                        wire.servers().together() ? 0 : call.bucket().slot())
                : call;
    }

    /** Those that must go again: each alone, or under the life that a server named. */
    private List<ScriptBatch> exchange(List<ScriptBatch> batches, boolean mayGoAgain) {
        List<ScriptBatch> again = new ArrayList<>();
        List<@Nullable Object> answers =
                wire.send(batches.stream().map(ScriptBatch::command).toList());
        for (int i = 0; i < batches.size(); i++) {
            ScriptBatch batch = batches.get(i);
            Object answer = answers.get(i);
            boolean renewed = false;
            if (losses != null && answer instanceof RuntimeException failure) {
                RecordBucket bucket = batch.first().bucket();
                renewed = losses.renewed(bucket, failure);
                answer = losses.heard(bucket, failure);
            }
            if (renewed && mayGoAgain) {
                again.add(batch.renewed());
            } else if (mayGoAgain && batch.mustSplit(answer)) {
                again.addAll(batch.split());
            } else {
                batch.hear(answer);
            }
        }
        return again;
    }

    @Nullable
    RecordSnapshot find(RecordId id) {
        RecordLocation place = places.of(id);
        Object answer =
                wire.send(RedisCommand.calling(scripts.find(), place.bucket().slot(), List.of(place.key()), List.of()));
        RecordSnapshot seen = seen(KeyLayout.id(place), answer);
        if (seen != null) {
            id.requireSame(seen.record().id());
        }
        return seen;
    }

    /** What {@code find} answered; what is gone is not there, though it may take Redis a millisecond to remove it. */
    static @Nullable RecordSnapshot seen(UUID id, @Nullable Object answer) {
        List<?> parts = list(answer);
        long now = (Long) parts.get(0);
        if (parts.size() < 2 || !(parts.get(1) instanceof byte[] value)) {
            return null;
        }
        StoredRecord record = RecordLayout.record(id, value);
        return record.gone(now) ? null : new RecordSnapshot(record, now);
    }

    private ClaimResult claimed(Claim claim, long now, @Nullable Object said) {
        if (said instanceof Long fence) {
            return new ClaimResult.Acquired(fence, now);
        }
        StoredRecord there = RecordLayout.record(claim.id().uuid(), (byte[]) Objects.requireNonNull(said));
        claim.id().requireSame(there.id());
        return claim.recognises(there, now)
                ? new ClaimResult.Acquired(there.fence(), now)
                : new RecordSnapshot(there, now);
    }

    /** A change that was made before is answered as it was then. One that finds nothing may have met a loss. */
    private UpdateResult updated(RecordUpdate update, @Nullable Object said) {
        if (said instanceof Long) {
            return UpdateResult.APPLIED;
        }
        if (!(said instanceof byte[] value)) {
            if (losses != null) {
                losses.look(List.of(places.bucket(update.ticket().id())));
            }
            return UpdateResult.LOST;
        }
        Ticket ticket = update.ticket();
        StoredRecord there = RecordLayout.record(ticket.id().uuid(), value);
        ticket.id().requireSame(there.id());
        boolean before = !(update.change() instanceof Change.Mirror)
                && ColumnUpdate.of(update.change()).madeBefore(there, ticket);
        return before ? UpdateResult.APPLIED : UpdateResult.LOST;
    }

    private static List<?> list(@Nullable Object answer) {
        if (answer instanceof List<?> list && !list.isEmpty()) {
            return list;
        }
        throw new StoreException("Redis gave an answer that no script of this version gives: " + answer);
    }
}
