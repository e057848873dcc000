package io.onefold.benchmarks.stores;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One connection for all callers, whose commands travel together when they come together. */
final class LettuceCommands implements Commands {
    private final RedisClient client;
    private final RedisAsyncCommands<String, String> connection;

    LettuceCommands(String uri) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect().async();
    }

    @Override
    public String client() {
        return "shared Lettuce";
    }

    @Override
    public @Nullable String get(String key) {
        return answer(connection.get(key));
    }

    @Override
    public void set(String key, String value) {
        answer(connection.set(key, value));
    }

    @Override
    public void set(String key, String value, Duration life) {
        answer(connection.set(key, value, SetArgs.Builder.px(life)));
    }

    @Override
    public boolean setIfAbsent(String key, String value, Duration life) {
        return answer(connection.set(key, value, SetArgs.Builder.nx().px(life))) != null;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    private static <T> T answer(RedisFuture<T> future) {
        return future.toCompletableFuture().join();
    }
}
