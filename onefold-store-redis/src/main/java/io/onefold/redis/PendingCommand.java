package io.onefold.redis;

import io.onefold.store.StoreException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** One command on its way. */
final class PendingCommand {
    /** Where it goes; null for whoever holds the slot. */
    @Nullable
    HostAndPort target;

    /** Whether nobody but the target will do. */
    boolean fixed;

    /** Whether a connection has broken under it. */
    boolean broken;

    /** Whether it came too early, and should come again. */
    boolean early;

    boolean asking;
    boolean done;

    @Nullable
    Object answer;

    private RedisCommand command;

    PendingCommand(RedisCommand command) {
        this.command = command;
    }

    int slot() {
        return command.slot();
    }

    int write(Connection connection) {
        if (asking) {
            connection.sendCommand(Protocol.Command.ASKING);
        }
        connection.sendCommand(command.verb(), command.arguments());
        return asking ? 2 : 1;
    }

    /** Whether it says that servers have changed places. */
    boolean hear(@Nullable Object said) {
        early = false;
        if (said instanceof JedisNoScriptException && command.script() != null) {
            command = command.spelledOut();
            return false;
        }
        asking = said instanceof JedisAskDataException;
        if (said instanceof JedisMovedDataException moved) {
            target = moved.getTargetNode();
            return true;
        } else if (said instanceof JedisAskDataException ask) {
            target = ask.getTargetNode();
            return false;
        } else if (said instanceof JedisDataException error) {
            return hearError(error, String.valueOf(error.getMessage()));
        }
        answer = said;
        done = true;
        return false;
    }

    private boolean hearError(JedisDataException error, String text) {
        if (text.startsWith("TRYAGAIN")) {
            early = true;
            target = fixed ? target : null;
            return false;
        }
        fail("Redis says " + text, error);
        // a master that has become a replica, or none; a script's error has more words before these
        return text.contains("READONLY") || text.contains("CLUSTERDOWN") || text.contains("MASTERDOWN");
    }

    void fail(@Nullable String why, @Nullable Exception cause) {
        answer = new StoreException(String.valueOf(why), cause);
        done = true;
    }
}
