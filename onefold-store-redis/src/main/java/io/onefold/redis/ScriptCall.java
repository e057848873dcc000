package io.onefold.redis;

import java.util.List;

/**
 * What a script is to do with one record. Several calls of one script that may touch their keys together are one command.
 *
 * @param joins whether the script takes more than one record
 * @param shared keys before those of the records, once for all
 * @param common values before those of the records, once for all
 * @param timed whether the answer begins with the time
 */
record ScriptCall(
        LuaScript script,
        RecordBucket bucket,
        boolean joins,
        List<byte[]> shared,
        List<byte[]> keys,
        List<byte[]> common,
        List<byte[]> values,
        boolean timed) {}
