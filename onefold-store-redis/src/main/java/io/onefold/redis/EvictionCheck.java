package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.store.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

/** Looks whether a Redis may be trusted with the truth, and says what it may lose. */
final class EvictionCheck {
    private static final Logger LOG = LoggerFactory.getLogger(EvictionCheck.class);

    private final CommandPipeline wire;

    EvictionCheck(CommandPipeline wire) {
        this.wire = wire;
    }

    void requireLasting() {
        for (HostAndPort server : wire.servers().all()) {
            Map<String, String> info = info(server);
            String policy = info.get("maxmemory_policy");
            if (policy == null) {
                LOG.warn(
                        "Redis does not tell its maxmemory-policy (is INFO allowed to this user?): see to it that it is noeviction");
                continue;
            }
            if (!policy.equals("noeviction")) {
                throw new IllegalStateException("maxmemory-policy is " + policy
                        + ": this Redis evicts records when it is full, and what they say was done would be done again;"
                        + " set it to noeviction, or use this Redis as the front of a database (RedisStore.front)");
            }
            LOG.info("Redis {}: {}; {}", info.get("redis_version"), persistence(info), failover(info));
        }
    }

    private static String persistence(Map<String, String> info) {
        return "1".equals(info.get("aof_enabled"))
                ? "it writes a log, and a crash loses about a second of it unless appendfsync is always"
                : "IT WRITES NO LOG (appendonly no): a crash loses everything since the last snapshot, if there is one";
    }

    private static String failover(Map<String, String> info) {
        boolean alone = "0".equals(info.getOrDefault("connected_slaves", "0"));
        return alone
                ? "it has no replica"
                : "replicas follow it with a delay: a failover loses what they had not heard, a claim perhaps";
    }

    private Map<String, String> info(HostAndPort server) {
        Map<String, String> info = new HashMap<>();
        String text;
        try {
            text = new String((byte[]) Objects.requireNonNull(wire.ask(server, Protocol.Command.INFO)), UTF_8);
        } catch (StoreException e) {
            if (String.valueOf(e.getMessage()).contains("NOPERM")) {
                return info;
            }
            throw e;
        }
        for (String line : text.split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                info.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return info;
    }
}
