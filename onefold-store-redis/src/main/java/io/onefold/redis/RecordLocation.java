package io.onefold.redis;

/**
 * Where a record stands.
 *
 * @param key the record's
 * @param name what the record is called within its bucket
 */
record RecordLocation(RecordBucket bucket, byte[] key, byte[] name) {}
