package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.store.ColumnUpdate;
import io.onefold.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The guard against a Redis that has lost what it knew: flushed, restarted without its data, or a master of a cluster of which nothing
 * is left. Whoever asked such a Redis would run again what was done long ago.
 *
 * <p>Each bucket has a key with the id of its life, which is written once, at random, when a node starts on an empty Redis. A node
 * remembers the life of every bucket, and each claim takes it along. The script that would grant the claim compares the two first, so that
 * nothing is granted under another life, even if a node that started after the loss has begun a new one. The first who notices writes down
 * until when nothing is claimed. That holds for all nodes, until the time is over or somebody accepts the loss. Then a settled life begins,
 * with which all nodes go on, whatever they remember.
 */
final class DataLossGuard {
    private static final Logger LOG = LoggerFactory.getLogger(DataLossGuard.class);

    /** What the script says; the same words stand in {@code life.lua}. */
    private static final String LOST = "LOST ";

    private static final String LIFE = "LIFE ";
    private static final String CLOSED = "closed ";
    private static final String SETTLED = "settled ";

    /** What a node remembers that has found no life. It goes on with any that it is told. */
    private static final byte[] NONE = {};

    /** What a node remembers that has met nothing but a loss. It goes on with a settled life alone. */
    private static final byte[] WAITING = RedisCommand.bytes("waiting");

    private static final byte[] UNLESS_THERE = RedisCommand.bytes("NX");
    private static final int LOOKS = 20;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final CommandPipeline wire;
    private final StoreScripts scripts;
    private final KeyLayout places;
    private final Duration closedFor;
    private final byte[] closedMicros;

    /** For each bucket, what this node remembers: a life, {@link #NONE} or {@link #WAITING}. */
    private final AtomicReferenceArray<byte[]> lives = new AtomicReferenceArray<>(KeyLayout.BUCKETS);

    /** The buckets of which this node knows that nothing is claimed there. */
    private final Set<Integer> closed = ConcurrentHashMap.newKeySet();

    /**
     * @param closedFor for how long nothing is claimed after a loss
     */
    DataLossGuard(CommandPipeline wire, StoreScripts scripts, KeyLayout places, Duration closedFor) {
        this.wire = wire;
        this.scripts = scripts;
        this.places = places;
        this.closedFor = closedFor;
        this.closedMicros =
                RedisCommand.bytes(Math.min(ColumnUpdate.micros(closedFor), ColumnUpdate.micros(NameCheck.FOR_EVER)));
        for (RecordBucket bucket : places.buckets()) {
            lives.set(bucket.number(), NONE);
        }
    }

    /**
     * Begins a life in an empty Redis, or remembers the one that is there. If some buckets have none, another node may be beginning just
     * now; if they still have none later, they have lost it.
     */
    void begin() {
        List<byte[]> found = read();
        if (found.stream().allMatch(life -> life.length == 0)) {
            write(UUID.randomUUID().toString(), UNLESS_THERE);
            found = read();
        }
        for (int look = 0; !missing(found).isEmpty() && look < LOOKS; look++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            found = read();
        }
        for (RecordBucket bucket : places.buckets()) {
            remember(bucket, found.get(bucket.number()));
        }
        look(missing(found));
    }

    /** The key by which a bucket is judged. One server has all that it knew, or nothing; so one key is enough for it. */
    byte[] key(RecordBucket bucket) {
        return judge(bucket).life();
    }

    /** The key with the highest fence that was given in a bucket, or on the one server. It is lost with the life. */
    byte[] fences(RecordBucket bucket) {
        return judge(bucket).fence();
    }

    /** What a script judges a bucket by: the life that this node remembers, and for how long nothing is claimed after a loss. */
    List<byte[]> judged(RecordBucket bucket) {
        return List.of(lives.get(judge(bucket).number()), closedMicros);
    }

    /** Whether the server named a settled life. It is remembered, and the same may be asked again. */
    boolean renewed(RecordBucket bucket, RuntimeException failure) {
        String life = said(LIFE, failure);
        if (life == null) {
            return false;
        }
        remember(judge(bucket), RedisCommand.bytes(life));
        if (closed.remove(judge(bucket).number()) && closed.isEmpty()) {
            LOG.info("Claims are granted again after the loss in Redis");
        }
        return true;
    }

    /** What a server said instead of an answer; or, if it said that something was lost, what follows from that. */
    RuntimeException heard(RecordBucket bucket, RuntimeException failure) {
        String found = said(LOST, failure);
        if (found == null) {
            return failure;
        }
        lives.compareAndSet(judge(bucket).number(), NONE, WAITING);
        tell(judge(bucket), explained(found));
        return new StoreException(
                "Redis has lost records, so that something might be done a second time: " + consequence());
    }

    /**
     * Judges buckets where nobody claims, so that a loss is closed for nodes that started after it. What fails here is left to the next
     * claim.
     */
    void look(List<RecordBucket> buckets) {
        List<RecordBucket> judges = buckets.stream()
                .map(this::judge)
                .distinct()
                .filter(bucket -> !closed.contains(bucket.number()))
                .toList();
        List<@Nullable Object> answers = wire.send(judges.stream()
                .map(bucket ->
                        RedisCommand.calling(scripts.look(), bucket.slot(), List.of(bucket.life()), judged(bucket)))
                .toList());
        for (int i = 0; i < judges.size(); i++) {
            if (answers.get(i) instanceof RuntimeException failure && !renewed(judges.get(i), failure)) {
                var unused = heard(judges.get(i), failure);
            }
        }
    }

    /** Begins a settled life everywhere. */
    void accept() {
        write(SETTLED + UUID.randomUUID());
        closed.clear();
    }

    private RecordBucket judge(RecordBucket bucket) {
        return wire.servers().together() ? places.buckets().get(0) : bucket;
    }

    private void remember(RecordBucket bucket, byte[] life) {
        boolean isClosed = new String(life, UTF_8).startsWith(CLOSED);
        lives.set(bucket.number(), isClosed ? WAITING : life);
    }

    private static @Nullable String said(String word, RuntimeException failure) {
        String said = failure.getCause() instanceof JedisDataException error ? error.getMessage() : null;
        return said != null && said.startsWith(word) ? said.substring(word.length()) : null;
    }

    private static String explained(String found) {
        return switch (found) {
            case "MISSING" -> "it was flushed, or came back without its data";
            case "REPLACED" ->
                "it was flushed, or came back without its data, and a node that started afterwards took it for a new one;"
                        + " what that node was asked since may have been done a second time";
            default -> "another node noticed it";
        };
    }

    /** Once, until claims are granted again. */
    private void tell(RecordBucket bucket, String what) {
        boolean first = closed.isEmpty();
        if (closed.add(bucket.number()) && first) {
            LOG.error(
                    "Redis has lost records ({}): {}. So that nothing is done a second time, {}. Accept the loss when what was lost may be done again",
                    new String(bucket.life(), UTF_8),
                    what,
                    consequence());
        }
    }

    private String consequence() {
        return "nothing is claimed there for " + closedFor + ", or until RedisStore.acceptLoss()";
    }

    private void write(String life, byte[]... options) {
        List<RedisCommand> all = new ArrayList<>();
        for (RecordBucket bucket : places.buckets()) {
            byte[][] arguments =
                    Arrays.copyOf(new byte[][] {bucket.life(), RedisCommand.bytes(life)}, 2 + options.length);
            System.arraycopy(options, 0, arguments, 2, options.length);
            all.add(RedisCommand.of(bucket.slot(), Protocol.Command.SET, arguments));
        }
        var unused = wire.sendAll(all);
    }

    /** The lives of all buckets, {@link #NONE} where there is none. */
    private List<byte[]> read() {
        List<RedisCommand> looks = new ArrayList<>();
        for (RecordBucket bucket : places.buckets()) {
            looks.add(RedisCommand.of(bucket.slot(), Protocol.Command.GET, bucket.life()));
        }
        List<byte[]> found = new ArrayList<>();
        wire.sendAll(looks).forEach(life -> found.add(life instanceof byte[] there ? there : NONE));
        return found;
    }

    /** Those that are judged and have no life. */
    private List<RecordBucket> missing(List<byte[]> found) {
        return places.buckets().stream()
                .map(this::judge)
                .distinct()
                .filter(bucket -> found.get(bucket.number()).length == 0)
                .toList();
    }
}
