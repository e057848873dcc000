package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.commands.ProtocolCommand;

/**
 * A command for the server that holds a slot. Whatever is sent may be sent again when its answer was lost, so each must be safe to
 * repeat.
 *
 * @param script what it calls, if anything; the first argument is its hash then
 */
record RedisCommand(
        int slot,
        ProtocolCommand verb,
        byte[][] arguments,
        @Nullable LuaScript script) {

    static RedisCommand of(int slot, Protocol.Command verb, byte[]... arguments) {
        return new RedisCommand(slot, verb, arguments, null);
    }

    static RedisCommand calling(LuaScript script, int slot, List<byte[]> keys, List<byte[]> values) {
        byte[][] arguments = new byte[2 + keys.size() + values.size()][];
        arguments[0] = script.hash();
        arguments[1] = bytes(keys.size());
        int at = 2;
        for (byte[] key : keys) {
            arguments[at++] = key;
        }
        for (byte[] value : values) {
            arguments[at++] = value;
        }
        return new RedisCommand(slot, Protocol.Command.EVALSHA, arguments, script);
    }

    /** The same with the script's text, for a server that does not know the hash. */
    RedisCommand spelledOut() {
        if (script == null) {
            return this;
        }
        byte[][] spelled = arguments.clone();
        spelled[0] = script.text();
        return new RedisCommand(slot, Protocol.Command.EVAL, spelled, null);
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }
}
