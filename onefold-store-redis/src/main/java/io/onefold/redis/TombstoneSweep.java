package io.onefold.redis;

import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;

/** Makes tombstones of what was kept long enough and is to leave one. Everything else, Redis removes by itself. */
final class TombstoneSweep {
    private static final Logger LOG = LoggerFactory.getLogger(TombstoneSweep.class);
    private static final byte[] NONE = {};

    private final CommandPipeline wire;
    private final StoreScripts scripts;
    private final KeyLayout places;

    TombstoneSweep(CommandPipeline wire, StoreScripts scripts, KeyLayout places) {
        this.wire = wire;
        this.scripts = scripts;
        this.places = places;
    }

    int strip(int limit) {
        byte[] now = RedisCommand.bytes(wire.now());
        List<RedisCommand> looks = new ArrayList<>();
        for (RecordBucket bucket : places.buckets()) {
            looks.add(RedisCommand.of(
                    bucket.slot(),
                    Protocol.Command.ZRANGEBYSCORE,
                    bucket.due(),
                    RedisCommand.bytes("-inf"),
                    now,
                    RedisCommand.bytes("LIMIT"),
                    RedisCommand.bytes(0),
                    RedisCommand.bytes(limit)));
        }
        int stripped = 0;
        int looked = 0;
        List<@Nullable Object> names = wire.sendAll(looks);
        for (RecordBucket bucket : places.buckets()) {
            for (Object name : (List<?>) Objects.requireNonNull(names.get(bucket.number()))) {
                stripped += looked++ < limit && strip(places.of(bucket, (byte[]) name)) ? 1 : 0;
            }
        }
        return stripped;
    }

    /** Nothing happens to a record that changes meanwhile: the next sweep meets it again. */
    private boolean strip(RecordLocation place) {
        int slot = place.bucket().slot();
        List<?> found = (List<?>) Objects.requireNonNull(
                wire.send(RedisCommand.calling(scripts.find(), slot, List.of(place.key()), List.of())));
        long now = (Long) found.get(0);
        byte[] value = found.size() > 1 && found.get(1) instanceof byte[] there ? there : NONE;
        StoredRecord record;
        try {
            record = value.length == 0 ? null : RecordLayout.record(KeyLayout.id(place), value);
        } catch (StoreException e) {
            LOG.warn("a record is not swept: {}", e.getMessage());
            return false;
        }
        if (record != null && record.status().finished() && !record.expired(now)) {
            return false;
        }
        boolean strips = record != null && record.status().finished() && record.payload() != null;
        byte[] left = record != null && strips ? RecordLayout.stripped(record) : NONE;
        Object answer = wire.send(RedisCommand.calling(
                scripts.strip(), slot, List.of(place.key(), place.bucket().due()), List.of(place.name(), value, left)));
        return Long.valueOf(1).equals(answer);
    }
}
