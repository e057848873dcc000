package io.onefold.http;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a handler's call beside its response: an exception that something else has answered, or a refusal. The last call counts,
 * since advice around a handler may call it again.
 */
public final class HandlerReport {
    private volatile @Nullable Throwable thrown;
    private volatile boolean refused;

    HandlerReport() {}

    /** The handler is called, perhaps once more. */
    public void calls() {
        thrown = null;
        refused = false;
    }

    /**
     * The handler has thrown this, whatever answer is made of it: by {@link Policy#retryOn} and {@link Policy#failOn} it says what became
     * of the request.
     */
    public void threw(Throwable failure) {
        thrown = failure;
    }

    /** Something before the handler has refused the request after it was claimed: nothing was begun, whatever is answered. */
    public void refusedBefore() {
        refused = true;
    }

    /** What the response means. */
    Produced of(Produced response, Policy policy) {
        if (response.certainty() != Produced.Certainty.ANSWERED) {
            return response;
        }
        if (refused) {
            return Produced.notBegun(response.status(), response.headers(), response.body());
        }
        Throwable failure = thrown;
        return failure == null ? response : Ending.thrown(failure, response, policy);
    }
}
