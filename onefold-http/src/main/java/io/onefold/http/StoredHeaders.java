package io.onefold.http;

import java.util.Set;

/** Which headers of an answer are kept. */
final class StoredHeaders {
    static void check(Set<String> names) {}

    private StoredHeaders() {}
}
