package io.onefold.benchmarks.stores;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The few commands of Redis that subjects send themselves, through one client or another. */
interface Commands extends AutoCloseable {
    /** As names of subjects have it. */
    String client();

    @Nullable
    String get(String key);

    void set(String key, String value);

    void set(String key, String value, Duration life);

    /** False if there is something already. */
    boolean setIfAbsent(String key, String value, Duration life);

    @Override
    void close();
}
