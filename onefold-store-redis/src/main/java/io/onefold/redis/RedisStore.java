package io.onefold.redis;

import io.onefold.store.BatchItemResult;
import io.onefold.store.Change;
import io.onefold.store.Claim;
import io.onefold.store.ClaimResult;
import io.onefold.store.GroupCommit;
import io.onefold.store.RecordBatches;
import io.onefold.store.RecordFilter;
import io.onefold.store.RecordId;
import io.onefold.store.RecordPage;
import io.onefold.store.RecordSignals;
import io.onefold.store.RecordSnapshot;
import io.onefold.store.RecordUpdate;
import io.onefold.store.Store;
import io.onefold.store.StoreException;
import io.onefold.store.Ticket;
import io.onefold.store.UpdateResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Records in Redis: one server, one with sentinels, or a cluster.
 *
 * <pre>{@code
 * Onefold onefold = Onefold.on(RedisStore.of(RedisConnections.at("redis://localhost:6379")));
 * }</pre>
 *
 * As the truth, Redis is as good as its persistence and replication: a failover loses what the new master had not heard of yet, a claim
 * perhaps, and what was done under it may be done again. Where that must not be, put Redis at the front door of a database instead:
 *
 * <pre>{@code
 * JdbcStore truth = JdbcStore.of(dataSource);
 * Onefold onefold = Onefold.on(TieredStore.over(RedisStore.front(redis), truth, truth::epoch, System::nanoTime));
 * }</pre>
 *
 * What is kept long enough goes by itself, to the millisecond; a sweep has only tombstones to make.
 */
public final class RedisStore implements Store {
    /** Few: a call of a script costs much before it does anything, and less for each record that travels with another. */
    private static final int DIRECT = 3;

    private static final int LANES = 2;
    private static final int MOST = 128;

    private final ScriptPipeline trips;
    private final RedisServers servers;
    private final KeyLayout places;
    private final Duration patience;

    /** One for each server: who waits for one that does not answer must not keep others from the rest. */
    private final Map<HostAndPort, GroupCommit> combiners = new ConcurrentHashMap<>();

    private final RedisRecordList listing;
    private final TombstoneSweep sweep;
    private final RedisSignals signals;
    private final @Nullable DataLossGuard losses;

    private RedisStore(Builder builder, boolean front) {
        RedisConnections redis = builder.redis;
        this.places = new KeyLayout(builder.prefix);
        CommandPipeline wire = redis.wire();
        byte[] channel = RedisCommand.bytes(builder.prefix + ":ended");
        this.losses = front ? null : new DataLossGuard(wire, builder.scripts, places, builder.closedAfterLoss);
        this.trips = new ScriptPipeline(wire, builder.scripts, places, channel, losses);
        this.servers = wire.servers();
        this.patience = redis.timeout().multipliedBy(2);
        this.listing = new RedisRecordList(wire, builder.scripts, places);
        this.sweep = new TombstoneSweep(wire, builder.scripts, places);
        this.signals = new RedisSignals(redis, builder.scripts.await(), places, channel);
        if (losses != null) {
            new EvictionCheck(wire).requireLasting();
            losses.begin();
        }
    }

    /** The truth, under the prefix {@code onefold}. A Redis that evicts is refused. */
    public static RedisStore of(RedisConnections redis) {
        return builder(redis).build();
    }

    /** What stands at the front door of another store. It may lose anything; so any Redis will do. */
    public static RedisStore front(RedisConnections redis) {
        return builder(redis).buildFront();
    }

    public static Builder builder(RedisConnections redis) {
        return new Builder(redis);
    }

    @Override
    public ClaimResult claim(Claim claim) {
        return combiner(claim.id()).claim(claim);
    }

    @Override
    public UpdateResult update(Ticket ticket, Change change) {
        return combiner(ticket.id()).update(ticket, change);
    }

    private GroupCommit combiner(RecordId id) {
        HostAndPort server;
        try {
            server = servers.of(places.bucket(id).slot());
        } catch (JedisException e) {
            throw new StoreException("Redis could not be reached: " + e.getMessage(), e);
        }
        return combiners.computeIfAbsent(server, same -> new GroupCommit(trips::send, DIRECT, LANES, MOST, patience));
    }

    @Override
    public List<BatchItemResult<ClaimResult>> claimAll(List<Claim> claims) {
        return RecordBatches.send(
                claims, MOST, Claim::id, round -> trips.send(round, List.of()).claims());
    }

    @Override
    public List<BatchItemResult<UpdateResult>> updateAll(List<RecordUpdate> updates) {
        return RecordBatches.send(
                updates,
                MOST,
                update -> update.ticket().id(),
                round -> trips.send(List.of(), round).updates());
    }

    @Override
    public @Nullable RecordSnapshot find(RecordId id) {
        return trips.find(id);
    }

    @Override
    public RecordPage list(RecordFilter filter, @Nullable String cursor, int limit) {
        return listing.page(filter, cursor, limit);
    }

    @Override
    public int sweep(int limit) {
        if (losses != null) {
            losses.look(places.buckets());
        }
        return sweep.strip(limit);
    }

    @Override
    public RecordSignals signals() {
        return signals;
    }

    /**
     * Accepts that Redis has lost records: claims are granted again at once, by all nodes, although what was lost may be done a second
     * time.
     */
    public void acceptLoss() {
        if (losses != null) {
            losses.accept();
        }
    }

    /** What may be chosen; everything has a default. */
    public static final class Builder {
        /** What all keys of a store begin with unless told otherwise. */
        public static final String PREFIX = "onefold";

        private final RedisConnections redis;
        private String prefix = PREFIX;
        private StoreScripts scripts = StoreScripts.OWN;
        private Duration closedAfterLoss = Duration.ofDays(1);

        private Builder(RedisConnections redis) {
            this.redis = redis;
        }

        /** What all keys begin with; stores of different prefixes know nothing of each other. */
        public Builder prefix(String prefix) {
            this.prefix = prefix;
            return this;
        }

        /**
         * For how long nothing is claimed after Redis has lost records: as long as the longest keep, a day unless another is given.
         */
        public Builder closedAfterLoss(Duration closed) {
            if (closed.isNegative()) {
                throw new IllegalArgumentException("closedAfterLoss must not be negative: " + closed);
            }
            this.closedAfterLoss = closed;
            return this;
        }

        /** Others, which are broken on purpose. */
        Builder scripts(StoreScripts others) {
            this.scripts = others;
            return this;
        }

        /** The truth. */
        public RedisStore build() {
            return new RedisStore(this, false);
        }

        /** What stands at the front door of another store. */
        public RedisStore buildFront() {
            return new RedisStore(this, true);
        }
    }
}
