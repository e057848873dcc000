package io.onefold.benchmarks.stores;

import io.onefold.benchmarks.stores.Traits.Feature;
import io.onefold.benchmarks.stores.Traits.Kind;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What people write: look for the result, set a mark that it is being processed if nothing is there, set the result. The mark goes
 * after a while, so that a crash does not last; whoever was only slow then overwrites what another has done.
 */
final class NaiveRedis implements Subject {
    static final String NAME = "naive GET, SET NX, SET; ";

    private static final String PREFIX = "place-order:";
    private static final Duration MARK = Duration.ofSeconds(30);
    private static final Duration KEEP = Duration.ofDays(1);

    private final Traits traits;
    private final Commands commands;

    NaiveRedis(Commands commands) {
        this.traits = new Traits(
                NAME + commands.client(),
                Kind.STORES_RESULT,
                Set.of(Workload.FIRST, Workload.REPLAY, Workload.MIX, Workload.HOT),
                Feature.RESULT,
                Feature.LEASE,
                Feature.HASH,
                Feature.EXPIRY);
        this.commands = commands;
    }

    @Override
    public Traits traits() {
        return traits;
    }

    @Override
    public @Nullable String call(String key, Business business) {
        String hash = NaiveTable.hash(business.request(key));
        String place = PREFIX + key;
        String found = commands.get(place);
        if (found != null) {
            return answer(found, hash);
        }
        if (!commands.setIfAbsent(place, hash, MARK)) {
            return null;
        }
        String result = business.run(key);
        commands.set(place, hash + result, KEEP);
        return result;
    }

    private static @Nullable String answer(String found, String hash) {
        if (!found.startsWith(hash)) {
            throw new IllegalStateException("the same key with another payload");
        }
        return found.length() == hash.length() ? null : found.substring(hash.length());
    }
}
