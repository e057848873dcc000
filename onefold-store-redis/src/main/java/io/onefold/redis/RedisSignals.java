package io.onefold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPubSub;

/**
 * Wakes those who wait in other processes. Only the end of a record that someone waits for is published: who waits says so in the
 * record, and the script that ends it looks there. On a cluster a message goes to every server, so there should be few.
 *
 * <p>One thread listens on one connection for as long as anyone in this process waits, and a little longer; another says who waits.
 * Whatever they miss, those who wait will find by looking.
 */
final class RedisSignals implements RecordSignals {
    private static final Logger LOG = LoggerFactory.getLogger(RedisSignals.class);
    private static final long RECONNECT_NANOS = 500_000_000;

    private final RedisConnections redis;
    private final LuaScript await;
    private final KeyLayout places;
    private final String channel;
    private final Map<String, Set<RedisWaiter>> waiting = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<RecordId> unsaid = new ConcurrentLinkedQueue<>();
    private boolean listening;
    private boolean saying;
    private volatile boolean heard;

    RedisSignals(RedisConnections redis, LuaScript await, KeyLayout places, byte[] channel) {
        this.redis = redis;
        this.await = await;
        this.places = places;
        this.channel = new String(channel, US_ASCII);
    }

    @Override
    public Subscription subscribe(RecordId id, Runnable wake) {
        RedisWaiter own = new RedisWaiter(id, wake);
        String key = key(id);
        waiting.compute(key, (same, others) -> {
            Set<RedisWaiter> all = others == null ? ConcurrentHashMap.newKeySet() : others;
            all.add(own);
            return all;
        });
        unsaid.add(id);
        begin();
        return () -> waiting.computeIfPresent(key, (same, others) -> {
            others.remove(own);
            return others.isEmpty() ? null : others;
        });
    }

    /** The script that ends a record has published already. */
    @Override
    public void publish(RecordId id) {}

    private synchronized void begin() {
        if (!listening) {
            listening = !redis.isClosed() && start(this::listen);
        } else if (heard && !saying) {
            saying = start(this::say);
        }
    }

    private static boolean start(Runnable task) {
        Thread thread = new Thread(task, "onefold-signals");
        thread.setDaemon(true);
        try {
            thread.start();
            return true;
        } catch (OutOfMemoryError e) {
            LOG.warn("no thread for signals; those who wait look for themselves", e);
            return false;
        }
    }

    private void listen() {
        do {
            try (Connection connection =
                    redis.wire().servers().connect(redis.wire().servers().of(0))) {
                try {
                    new SignalThread().proceed(connection, channel);
                } finally {
                    connection.setBroken(); // nobody else is to get it afterwards
                }
            } catch (RuntimeException e) {
                LOG.debug("not listening; those who wait look for themselves", e);
                LockSupport.parkNanos(RECONNECT_NANOS);
            }
            heard = false;
        } while (!ended());
    }

    /** Whether nobody waits any more; whoever comes next begins anew. */
    private synchronized boolean ended() {
        listening = !waiting.isEmpty() && !redis.isClosed();
        if (!listening) {
            unsaid.clear();
        }
        return !listening;
    }

    /** Says in the records that someone waits. What has ended before that is not published: its waiters look at once. */
    private void say() {
        do {
            List<RecordId> some = new ArrayList<>();
            for (RecordId id = unsaid.poll(); id != null; id = unsaid.poll()) {
                some.add(id);
            }
            List<RedisCommand> commands = new ArrayList<>();
            for (RecordId id : some) {
                RecordLocation place = places.of(id);
                commands.add(RedisCommand.calling(await, place.bucket().slot(), List.of(place.key()), List.of()));
            }
            try {
                var unused = redis.wire().send(commands);
                some.forEach(id -> wake(key(id)));
            } catch (RuntimeException e) {
                LOG.debug("some who wait may not be woken; they look for themselves", e);
            }
        } while (!allSaid());
    }

    private synchronized boolean allSaid() {
        saying = !unsaid.isEmpty();
        return !saying;
    }

    private String key(RecordId id) {
        return new String(places.of(id).key(), US_ASCII);
    }

    private void wake(@Nullable String key) {
        Set<RedisWaiter> woken = key == null ? null : waiting.get(key);
        if (woken != null) {
            woken.forEach(one -> one.wake.run());
        }
    }

    private final class SignalThread extends JedisPubSub {
        /** Only now is it of use to say who waits: an earlier end would be published to nobody. */
        @Override
        public void onSubscribe(String to, int channels) {
            heard = true;
            waiting.values().forEach(all -> all.forEach(one -> unsaid.add(one.id)));
            begin();
        }

        @Override
        public void onMessage(String from, String message) {
            wake(message);
            if (waiting.isEmpty()) {
                unsubscribe();
            }
        }
    }

    /** Not a record: two who wait with the same task are still two. */
    private static final class RedisWaiter {
        final RecordId id;
        final Runnable wake;

        RedisWaiter(RecordId id, Runnable wake) {
            this.id = id;
            this.wake = wake;
        }
    }
}
