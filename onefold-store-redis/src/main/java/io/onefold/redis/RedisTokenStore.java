package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.Key;
import io.onefold.RetentionPresets;
import io.onefold.TokenStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Tokens in Redis: 256 random bits each, of which the servers see only the SHA-256.
 *
 * <pre>{@code
 * RedisTokenStore tokens = RedisTokenStore.on(redis);
 * Onefold onefold = Onefold.builder(store).tokens(tokens).build();
 * }</pre>
 *
 * A token is one key, which Redis removes by its own clock after two lives. In the first the token is good, in the second it is known to
 * have expired. What Redis loses is missing: it is refused, never allowed twice. So any Redis will do, whatever it may forget.
 */
public final class RedisTokenStore implements TokenStore {
    /** How long a token lives unless told otherwise. */
    public static final Duration LIFE = RetentionPresets.FORM;

    private static final LuaScript LOOK = LuaScript.named("token");
    private static final int BYTES = 32;
    private static final int MILLIS = 7;

    private final CommandPipeline wire;
    private final Duration life;
    private final long millis;
    private final String prefix;
    private final SecureRandom random = new SecureRandom();

    private RedisTokenStore(CommandPipeline wire, Duration life, String prefix) {
        this.wire = wire;
        this.life = life;
        this.millis = NameCheck.millis("life", life);
        this.prefix = prefix;
    }

    public static RedisTokenStore on(RedisConnections redis) {
        return on(redis, LIFE);
    }

    public static RedisTokenStore on(RedisConnections redis, Duration life) {
        return new RedisTokenStore(redis.wire(), life, RedisStore.Builder.PREFIX);
    }

    /** With keys that begin with another prefix, {@code onefold} unless told otherwise. Returns a changed copy. */
    public RedisTokenStore prefix(String to) {
        return new RedisTokenStore(wire, life, NameCheck.prefix(to));
    }

    @Override
    public String issue(String operation, String user) {
        byte[] bits = new byte[BYTES];
        random.nextBytes(bits);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
        // a user that no key could carry is refused now, not when the token comes back
        var unused = Key.ofToken(token, user);
        byte[] value = new BinaryWriter()
                .fixed(millis, MILLIS)
                .text(operation)
                .text(user)
                .bytes();
        byte[] key = key(token);
        Object unusedAnswer = wire.send(RedisCommand.of(
                slot(key), Protocol.Command.SET, key, value, RedisCommand.bytes("PX"), RedisCommand.bytes(2 * millis)));
        return token;
    }

    @Override
    public TokenCheck check(String token, String operation, String user) {
        byte[] key = key(token);
        Object answer = wire.send(RedisCommand.calling(LOOK, slot(key), List.of(key), List.of()));
        if (!(answer instanceof List<?> parts)) {
            return TokenCheck.MISSING;
        }
        long left = (Long) parts.get(0);
        byte[] value = (byte[]) parts.get(1);
        BinaryReader reader = new BinaryReader(value, 0, value.length);
        long lived = reader.fixed(MILLIS);
        if (!operation.equals(reader.text()) || !user.equals(reader.text())) {
            return TokenCheck.FOREIGN;
        }
        return left > lived ? TokenCheck.VALID : TokenCheck.EXPIRED;
    }

    @Override
    public void remove(String token) {
        byte[] key = key(token);
        Object unused = wire.send(RedisCommand.of(slot(key), Protocol.Command.DEL, key));
    }

    @Override
    public Duration life() {
        return life;
    }

    byte[] key(String token) {
        return RedisCommand.bytes(
                prefix + ":token:" + Base64.getUrlEncoder().withoutPadding().encodeToString(hash(token)));
    }

    private static int slot(byte[] key) {
        return JedisClusterCRC16.getSlot(key);
    }

    private static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
