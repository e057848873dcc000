package io.onefold.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.onefold.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Something that scripts change, and what is noted beside it. All its keys begin with its own, {@code onefold:stock:{sku-1}}, whose tag
 * keeps them in one slot.
 *
 * @param keep how long causes are remembered, in milliseconds; 0 for ever
 */
record RedisObject(CommandPipeline wire, String key, int slot, long keep) {

    static RedisObject of(CommandPipeline wire, String kind, String name, long keep) {
        // the first brace after the tag's beginning ends it: no name may have one, or it could pass for another's note
        String tag = name.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
        String key = kind + ":{" + tag + "}";
        return new RedisObject(wire, key, JedisClusterCRC16.getSlot(key), keep);
    }

    String beside(String kind, String id) {
        return key + ":" + kind + ":" + NameCheck.required(kind, id);
    }

    /** The words that a script answers; it is given the thing's key and another, and has the keep as its last argument. */
    List<String> call(LuaScript script, String other, String... arguments) {
        List<byte[]> values = new ArrayList<>();
        for (String argument : arguments) {
            values.add(RedisCommand.bytes(argument));
        }
        values.add(RedisCommand.bytes(keep));
        return words(wire.send(RedisCommand.calling(
                script, slot, List.of(RedisCommand.bytes(key), RedisCommand.bytes(other)), values)));
    }

    /** The number that it is; 0 if it is not there. */
    long number() {
        Object answer = wire.send(RedisCommand.of(slot, Protocol.Command.GET, RedisCommand.bytes(key)));
        return answer == null ? 0 : Long.parseLong(new String((byte[]) answer, UTF_8));
    }

    static List<String> words(@Nullable Object answer) {
        List<String> words = new ArrayList<>();
        if (answer instanceof List<?> parts) {
            parts.forEach(part -> words.add(part instanceof byte[] text ? new String(text, UTF_8) : ""));
        }
        return words;
    }

    static StoreException unheardOf(List<String> answer) {
        return new StoreException("Redis gave an answer that no script of this version gives: " + answer);
    }
}
