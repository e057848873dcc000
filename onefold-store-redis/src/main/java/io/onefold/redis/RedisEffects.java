package io.onefold.redis;

import io.onefold.RetentionPresets;
import java.time.Duration;

/**
 * Effects that live in Redis itself and happen once for each cause: what is changed and the note of why share one script and one slot.
 * They are done together, or not at all; and what a failover or a crash of Redis loses, it loses together.
 *
 * <pre>{@code
 * RedisEffects effects = RedisEffects.on(redis);
 * DeductResult outcome = effects.stock("sku-1").deduct("order-9", 2);
 * AddResult clicks = effects.counter("clicks").add(eventId, 1);
 * VoteResult vote = effects.votes("poll-7").vote(userId, "yes");
 * }</pre>
 *
 * A call whose answer was lost may be repeated. The second is answered as the first was, and says that it is one.
 *
 * <p>A note of a cause is kept for a day after it took effect: {@link RetentionPresets#ORDER}, as for records of orders. <b>A repetition that comes
 * later counts again</b>, so keep notes for as long as callers may repeat, or for ever. Each note costs about 150 bytes of Redis' memory for that
 * time. Votes are kept until the poll is removed.
 */
public final class RedisEffects {
    /** How long causes are remembered unless told otherwise. */
    public static final Duration KEEP = RetentionPresets.ORDER;

    private static final long FOR_EVER = 0;

    private final CommandPipeline wire;
    private final String prefix;
    private final long keep;

    private RedisEffects(CommandPipeline wire, String prefix, long keep) {
        this.wire = wire;
        this.prefix = prefix;
        this.keep = keep;
    }

    /** A Redis that evicts is refused: it would forget causes, and what they did would be done again. */
    public static RedisEffects on(RedisConnections redis) {
        new EvictionCheck(redis.wire()).requireLasting();
        return new RedisEffects(redis.wire(), RedisStore.Builder.PREFIX, NameCheck.millis("keepFor", KEEP));
    }

    /** With keys that begin with another prefix, {@code onefold} unless told otherwise. Returns a changed copy. */
    public RedisEffects prefix(String to) {
        return new RedisEffects(wire, NameCheck.prefix(to), keep);
    }

    /** Remembers causes for this long after they took effect. Returns a changed copy. */
    public RedisEffects keepFor(Duration time) {
        return new RedisEffects(wire, prefix, NameCheck.millis("keepFor", time));
    }

    /** Remembers causes for ever, at the price of memory. Returns a changed copy. */
    public RedisEffects keepForEver() {
        return new RedisEffects(wire, prefix, FOR_EVER);
    }

    /** The stock of an article. */
    public RedisStock stock(String name) {
        return new RedisStock(thing("stock", name));
    }

    public RedisCounter counter(String name) {
        return new RedisCounter(thing("counter", name));
    }

    /** The votes of a poll. */
    public RedisVotes votes(String name) {
        return new RedisVotes(thing("votes", name));
    }

    private RedisObject thing(String kind, String name) {
        return RedisObject.of(wire, prefix + ":" + kind, NameCheck.required(kind, name), keep);
    }
}
