package io.onefold.redis;

import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ColumnUpdate;
import io.onefold.store.RecordId;
import io.onefold.store.RecordUpdate;
import io.onefold.store.StoredRecord;
import io.onefold.store.Takeover;
import io.onefold.store.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Claims and changes as calls of scripts. */
final class ScriptCalls {
    private static final long FOR_EVER = ColumnUpdate.micros(NameCheck.FOR_EVER);

    private static final byte[] NONE = {};
    private static final byte[] YES = {'1'};
    private static final byte[] NO = {'0'};

    private final StoreScripts scripts;
    private final KeyLayout places;
    private final byte[] channel;
    private final @Nullable DataLossGuard losses;

    /**
     * @param losses the lives that claims carry along; null at a front, which may lose what it likes
     */
    ScriptCalls(StoreScripts scripts, KeyLayout places, byte[] channel, @Nullable DataLossGuard losses) {
        this.scripts = scripts;
        this.places = places;
        this.channel = channel;
        this.losses = losses;
    }

    ScriptCall claim(Claim claim) {
        RecordLocation place = places.of(claim.id());
        byte[] names = names(claim.id());
        byte[] rest = RecordLayout.begun(
                claim.attempts(),
                names,
                RecordLayout.prints(claim.print().hash(), claim.print().fields(), claim.superseded(), claim.bizId()),
                RecordLayout.checkpoint(claim.checkpoint()));
        byte[] owner = bytes(claim.owner());
        byte[] lease = micros(claim.lease());
        if (claim.take() != null || (claim.mark() != (losses == null))) {
            return taking(claim, place, List.of(owner, lease, rest, place.name(), names));
        }
        RecordBucket bucket = place.bucket();
        return losses == null
                ? call(scripts.marks(), bucket, true, List.of(place.key()), List.of(owner, lease, rest), true)
                : new ScriptCall(
                        scripts.claims(),
                        bucket,
                        true,
                        List.of(losses.key(bucket), fences(bucket)),
                        List.of(place.key(), bucket.open()),
                        losses.judged(bucket),
                        List.of(owner, lease, rest, place.name()),
                        true);
    }

    private ScriptCall taking(Claim claim, RecordLocation place, List<byte[]> begun) {
        Takeover take = claim.take();
        RecordBucket bucket = place.bucket();
        List<byte[]> keys = new ArrayList<>(List.of(place.key(), bucket.open(), bucket.due()));
        List<byte[]> values = new ArrayList<>(begun);
        values.add(alias(claim.id()));
        values.add(claim.mark() ? YES : NO);
        values.add(take == null ? NONE : RedisCommand.bytes(take.grounds().name()));
        values.add(take == null ? NONE : RedisCommand.bytes(take.fence()));
        if (losses != null) {
            keys.add(losses.key(bucket));
            keys.add(fences(bucket));
            values.addAll(losses.judged(bucket));
        }
        return call(scripts.take(), bucket, false, keys, values, true);
    }

    ScriptCall change(RecordUpdate update) {
        Ticket ticket = update.ticket();
        RecordLocation place = places.of(ticket.id());
        RecordBucket bucket = place.bucket();
        if (update.change() instanceof Change.Mirror mirror) {
            return mirror(place, ticket.id(), mirror);
        }
        ColumnUpdate to = ColumnUpdate.of(update.change());
        byte[] holder = new BinaryWriter()
                .rest(bytes(ticket.owner()))
                .fixed(ticket.fence(), 7)
                .bytes();
        return new ScriptCall(
                scripts.changes(),
                bucket,
                true,
                List.of(fences(bucket)),
                List.of(place.key(), bucket.open(), bucket.due()),
                List.of(channel),
                List.of(
                        holder,
                        names(ticket.id()),
                        alias(ticket.id()),
                        RedisCommand.bytes(to.what()),
                        RedisCommand.bytes(Math.min(to.lease(), FOR_EVER)),
                        RedisCommand.bytes(Math.min(to.keep(), FOR_EVER)),
                        RedisCommand.bytes(Math.min(to.tombstone(), FOR_EVER)),
                        to.heir() == null ? NONE : bytes(to.heir()),
                        RecordLayout.checkpoint(to.checkpoint()),
                        RecordLayout.payload(to.payload()),
                        place.name()),
                false);
    }

    private ScriptCall mirror(RecordLocation place, RecordId id, Change.Mirror mirror) {
        StoredRecord record = mirror.record();
        byte[] prints = RecordLayout.prints(
                record.prints().hash(),
                record.prints().fields(),
                record.prints().superseded(),
                record.bizId());
        List<byte[]> values = List.of(
                bytes(record.owner()),
                RedisCommand.bytes(record.fence()),
                names(id),
                alias(id),
                RedisCommand.bytes(record.status().code()),
                RedisCommand.bytes(record.times().createdAt()),
                micros(mirror.leaseLeft()),
                micros(mirror.keepLeft()),
                micros(mirror.tombstone()),
                RedisCommand.bytes(record.attempts()),
                prints,
                RecordLayout.checkpoint(record.checkpoint()),
                RecordLayout.payload(record.payload()),
                channel);
        return call(scripts.mirror(), place.bucket(), false, List.of(place.key()), values, false);
    }

    private ScriptCall call(
            LuaScript script,
            RecordBucket bucket,
            boolean joins,
            List<byte[]> keys,
            List<byte[]> values,
            boolean timed) {
        return new ScriptCall(script, bucket, joins, List.of(), keys, List.of(), values, timed);
    }

    /** The key of the highest fence. A front has no lives to judge; each of its buckets has its own key. */
    private byte[] fences(RecordBucket bucket) {
        return losses == null ? bucket.fence() : losses.fences(bucket);
    }

    private static byte[] names(RecordId id) {
        return RecordLayout.names(id, id.key());
    }

    private static byte[] alias(RecordId id) {
        return RecordLayout.names(id, id.alias());
    }

    private static byte[] bytes(UUID id) {
        return new BinaryWriter()
                .fixed(id.getMostSignificantBits(), 8)
                .fixed(id.getLeastSignificantBits(), 8)
                .bytes();
    }

    private static byte[] micros(Duration duration) {
        return RedisCommand.bytes(Math.min(ColumnUpdate.micros(duration), FOR_EVER));
    }
}
