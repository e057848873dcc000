package io.onefold.redis;

import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Records that share a slot, with the keys beside them. Whatever a script touches is of one bucket, so that it works on a cluster
 * just as well.
 *
 * @param records what the keys of all its records begin with
 * @param open the names of those that are not at their end, by the end of their lease; 0 where the outcome is unknown
 * @param due the names of those that leave a tombstone, by the end of their keep
 * @param life which life of the data this is: see {@link DataLossGuard}
 * @param fence the highest fence that was given in it
 */
record RecordBucket(int number, int slot, byte[] records, byte[] open, byte[] due, byte[] life, byte[] fence) {
    static RecordBucket of(String prefix, int number) {
        String tag = prefix + ":{" + KeyLayout.hex(number) + "}";
        return new RecordBucket(
                number,
                JedisClusterCRC16.getSlot(tag),
                RedisCommand.bytes(tag),
                RedisCommand.bytes(tag + ":open"),
                RedisCommand.bytes(tag + ":due"),
                RedisCommand.bytes(tag + ":life"),
                RedisCommand.bytes(tag + ":fence"));
    }
}
