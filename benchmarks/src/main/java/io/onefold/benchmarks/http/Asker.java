package io.onefold.benchmarks.http;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Whose requests go over one connection, one after another. */
interface Asker {

    /** The next request in its parts; null if there is nothing more to ask. */
    ByteBuffer @Nullable [] next();

    /** Takes the answer to it. */
    void answered(Reply reply);
}
