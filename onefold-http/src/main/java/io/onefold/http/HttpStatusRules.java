package io.onefold.http;

/** Rules for the meaning of HTTP statuses: they say what became of a request. */
public final class HttpStatusRules {
    private HttpStatusRules() {}

    /**
     * Returns true if a response with this status is never kept. Such a response comes from a guard of the operation
     * and not from the operation, or it comes too early or too late to mean anything.
     */
    public static boolean isNeverStored(int status) {
        return switch (status) {
            case 401, 403, 407, 408, 419, 421, 425, 429 -> true;
            default -> false;
        };
    }
}
