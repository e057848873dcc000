package io.onefold.redis;

import io.onefold.store.StoreException;
import io.onefold.store.UnreadableRecordException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/** Calls of one script that are one command. */
final class ScriptBatch {
    private final List<BatchItem<?>> items = new ArrayList<>();
    private final List<ScriptCall> calls = new ArrayList<>();

    ScriptBatch add(BatchItem<?> item, ScriptCall call) {
        items.add(item);
        calls.add(call);
        return this;
    }

    ScriptCall first() {
        return calls.get(0);
    }

    RedisCommand command() {
        List<byte[]> keys = new ArrayList<>(first().shared());
        List<byte[]> values = new ArrayList<>(first().common());
        for (ScriptCall call : calls) {
            keys.addAll(call.keys());
            values.addAll(call.values());
        }
        return RedisCommand.calling(first().script(), first().bucket().slot(), keys, values);
    }

    /** Whether the server refused the whole for what may be wrong with one. */
    boolean mustSplit(@Nullable Object answer) {
        return items.size() > 1
                && answer instanceof StoreException failure
                && failure.getCause() instanceof JedisDataException;
    }

    List<ScriptBatch> split() {
        List<ScriptBatch> alone = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            alone.add(new ScriptBatch().add(items.get(i), calls.get(i)));
        }
        return alone;
    }

    /** The same, asked anew: for what nodes remember has changed. */
    ScriptBatch renewed() {
        ScriptBatch again = new ScriptBatch();
        for (BatchItem<?> item : items) {
            ScriptCall call = item.call();
            if (call != null) {
                again.add(item, call);
            }
        }
        return again;
    }

    void hear(@Nullable Object answer) {
        int from = first().timed() ? 1 : 0;
        if (answer instanceof RuntimeException) {
            items.forEach(item -> item.hear(0, answer));
        } else if (answer instanceof List<?> said && said.size() == items.size() + from) {
            long now = first().timed() ? (Long) said.get(0) : 0;
            for (int i = 0; i < items.size(); i++) {
                Object one = said.get(i + from);
                items.get(i)
                        .hear(
                                now,
                                one instanceof JedisDataException error
                                        ? new UnreadableRecordException("Redis says " + error.getMessage(), error)
                                        : one);
            }
        } else {
            items.forEach(item -> item.hear(
                    0, new StoreException("Redis gave an answer that no script of this version gives: " + answer)));
        }
    }
}
