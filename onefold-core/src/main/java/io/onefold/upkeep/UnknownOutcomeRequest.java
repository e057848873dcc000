package io.onefold.upkeep;

import io.onefold.store.RecordId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request whose outcome is unknown.
 *
 * @param id its scope, operation and key (or the key's hash)
 * @param attempts how often the work was begun
 * @param fence of the attempt that was lost
 * @param since when its outcome became unknown
 */
public record UnknownOutcomeRequest(RecordId id, @Nullable String bizId, int attempts, long fence, Instant since) {

    /** The key that the lost attempt gave to whoever it called by that name: ask them for it. */
    public String childKey(String name) {
        return id.child(name);
    }
}
