package io.onefold.http;

/** What statuses say about what became of a request. */
public final class HttpStatusRules {
    private HttpStatusRules() {}

    /**
     * Whether an answer with this status is never kept: it is told by whoever guards the operation, not by the operation, or comes too
     * early or too late to mean anything.
     */
    public static boolean isNeverStored(int status) {
        return switch (status) {
            case 401, 403, 407, 408, 419, 421, 425, 429 -> true;
            default -> false;
        };
    }
}
