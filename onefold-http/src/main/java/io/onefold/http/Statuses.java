package io.onefold.http;

import java.util.Set;

/** What statuses say about what became of a request. */
public final class Statuses {
    /** Told by whoever guards the operation, not by the operation; or too early or too late to mean anything. */
    private static final Set<Integer> NEVER_STORED = Set.of(401, 403, 407, 408, 419, 421, 425, 429);

    private Statuses() {}

    /** Whether an answer with this status is never kept: it is about the attempt, not about what was asked for. */
    public static boolean isNeverStored(int status) {
        return NEVER_STORED.contains(status);
    }
}
