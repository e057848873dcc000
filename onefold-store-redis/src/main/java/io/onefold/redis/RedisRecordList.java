package io.onefold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.Status;
import io.onefold.store.StoreException;
import io.onefold.store.StoredRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

/**
 * Lists records in the order of their ids. Those that are open are found by the index of their bucket, so that what is stuck costs a
 * look into each bucket and no more. For all others, every key of the prefix is looked at: that is for a person who searches, not
 * for something that runs every few seconds.
 */
final class RedisRecordList {
    private static final Logger LOG = LoggerFactory.getLogger(RedisRecordList.class);
    private static final int AT_ONCE = 32;
    private static final int CHUNK = 256;
    private static final byte[] SCANNED = RedisCommand.bytes(1_000);

    private final CommandPipeline wire;
    private final StoreScripts scripts;
    private final KeyLayout places;

    RedisRecordList(CommandPipeline wire, StoreScripts scripts, KeyLayout places) {
        this.wire = wire;
        this.scripts = scripts;
        this.places = places;
    }

    RecordPage page(RecordFilter filter, @Nullable String cursor, int limit) {
        long now = wire.now();
        FirstMatches found = new FirstMatches(filter, cursor == null ? null : UUID.fromString(cursor), limit + 1, now);
        boolean indexed = filter.statuses().stream().noneMatch(Status::sweepable);
        if (indexed) {
            open(found);
        } else {
            wire.servers().all().forEach(server -> scan(server, found));
        }
        return found.page(limit);
    }

    private void open(FirstMatches found) {
        int start = found.after == null ? 0 : (int) (found.after.getMostSignificantBits() >>> 56);
        for (int first = start; first < KeyLayout.BUCKETS && !found.full(); first += AT_ONCE) {
            List<RecordBucket> some = places.buckets().subList(first, Math.min(first + AT_ONCE, KeyLayout.BUCKETS));
            List<RedisCommand> looks = new ArrayList<>();
            for (RecordBucket bucket : some) {
                looks.add(RedisCommand.of(
                        bucket.slot(),
                        Protocol.Command.ZRANGEBYSCORE,
                        bucket.open(),
                        RedisCommand.bytes("-inf"),
                        found.filter.leaseOver() ? RedisCommand.bytes(found.now) : RedisCommand.bytes("+inf")));
            }
            List<RecordLocation> named = new ArrayList<>();
            List<@Nullable Object> names = wire.sendAll(looks);
            for (int i = 0; i < some.size(); i++) {
                for (Object name : (List<?>) names(names.get(i))) {
                    named.add(places.of(some.get(i), (byte[]) name));
                }
            }
            named.sort(Comparator.comparing(place -> id(place)));
            for (int from = 0; from < named.size() && !found.full(); from += CHUNK) {
                found.read(named.subList(from, Math.min(from + CHUNK, named.size())));
            }
        }
    }

    private static List<?> names(@Nullable Object answer) {
        return answer instanceof List<?> list ? list : List.of();
    }

    private static RecordId id(RecordLocation place) {
        UUID id = KeyLayout.id(place);
        return RecordId.stored(id.getMostSignificantBits(), id.getLeastSignificantBits(), "", "", "");
    }

    private void scan(HostAndPort server, FirstMatches found) {
        byte[] cursor = {'0'};
        do {
            List<?> part = (List<?>) Objects.requireNonNull(wire.ask(
                    server,
                    Protocol.Command.SCAN,
                    cursor,
                    RedisCommand.bytes("MATCH"),
                    RedisCommand.bytes(places.prefix() + ":{??}*"),
                    RedisCommand.bytes("COUNT"),
                    SCANNED));
            cursor = (byte[]) part.get(0);
            List<RecordLocation> named = new ArrayList<>();
            for (Object key : (List<?>) part.get(1)) {
                RecordLocation place = places.at((byte[]) key);
                if (place != null) {
                    named.add(place);
                }
            }
            found.read(named);
        } while (!text(cursor).equals("0"));
    }

    /** What cannot be read, of a later version perhaps, must not hide all others. */
    private static @Nullable RecordSnapshot seen(RecordLocation place, @Nullable Object answer) {
        if (answer instanceof StoreException failure
                && !String.valueOf(failure.getMessage()).contains("WRONGTYPE")) {
            throw failure;
        }
        try {
            return ScriptPipeline.seen(KeyLayout.id(place), answer);
        } catch (StoreException e) {
            LOG.warn("{} is left out of the listing: {}", text(place.key()), e.getMessage());
            return null;
        }
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, US_ASCII);
    }

    /** The first that match, up to a number of them. */
    private final class FirstMatches {
        private final RecordFilter filter;
        private final @Nullable UUID after;
        private final int most;
        private final long now;
        private final TreeMap<RecordId, StoredRecord> records = new TreeMap<>();

        FirstMatches(RecordFilter filter, @Nullable UUID after, int most, long now) {
            this.filter = filter;
            this.after = after;
            this.most = most;
            this.now = now;
        }

        boolean full() {
            return records.size() >= most;
        }

        void read(List<RecordLocation> named) {
            RecordId last = after == null
                    ? null
                    : RecordId.stored(after.getMostSignificantBits(), after.getLeastSignificantBits(), "", "", "");
            List<RecordLocation> next = named.stream()
                    .filter(place -> last == null || id(place).compareTo(last) > 0)
                    .toList();
            List<RedisCommand> finds = new ArrayList<>();
            next.forEach(place -> finds.add(
                    RedisCommand.calling(scripts.find(), place.bucket().slot(), List.of(place.key()), List.of())));
            List<@Nullable Object> answers = wire.send(finds);
            for (int i = 0; i < next.size(); i++) {
                RecordSnapshot seen = seen(next.get(i), answers.get(i));
                if (seen != null && filter.matches(seen.record(), seen.now())) {
                    records.put(seen.record().id(), seen.record());
                }
            }
            while (records.size() > most) {
                records.pollLastEntry();
            }
        }

        RecordPage page(int limit) {
            List<StoredRecord> all = List.copyOf(records.values());
            if (all.size() <= limit) {
                return new RecordPage(all, null, now);
            }
            List<StoredRecord> page = all.subList(0, limit);
            return new RecordPage(page, page.get(limit - 1).id().uuid().toString(), now);
        }
    }
}
