package io.onefold.http;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a handler's call beside its response: an exception that something else has answered, or a refusal. The last call counts,
 * since advice around a handler may call it again.
 */
public final class HandlerReport {
    private volatile @Nullable Throwable thrown;
    private volatile @Nullable CompletionStage<?> returned;
    private volatile boolean refused;

    HandlerReport() {}

    /** The handler is called, perhaps once more. */
    public void calls() {
        thrown = null;
        returned = null;
        refused = false;
    }

    /**
     * The handler has thrown this, whatever answer is made of it: by {@link Policy#retryOn} and {@link Policy#failOn} it says what became
     * of the request.
     */
    public void threw(Throwable failure) {
        thrown = failure;
    }

    /** The handler has returned this. It is over when the answer is made of it; what it failed with counts as thrown. */
    public void returned(CompletionStage<?> stage) {
        returned = stage;
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
        Throwable failure = thrown == null ? failure(returned) : thrown;
        return failure == null ? response : Ending.thrown(failure, response, policy);
    }

    /** What it failed with: whoever asks a stage that is over is told at once. */
    private static @Nullable Throwable failure(@Nullable CompletionStage<?> stage) {
        if (stage == null) {
            return null;
        }
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        var unused = stage.whenComplete((value, thrown) -> failure.set(thrown));
        Throwable thrown = failure.get();
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }
}
