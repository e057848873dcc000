package io.onefold.http;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a handler's call that its response does not show: an exception that something else has handled, or a
 * rejection. The last call counts, since advice around a handler may call it again.
 */
public final class HandlerCallReport {
    private static final int LEAST_ERROR = 400;

    private volatile @Nullable Throwable thrown;
    private volatile @Nullable CompletionStage<?> returned;
    private volatile boolean refused;
    private volatile boolean underWay;

    HandlerCallReport() {}

    /** Discards the report of an earlier call: that call was undone, or never reached its method. */
    public void calls() {
        thrown = null;
        returned = null;
        refused = false;
        underWay = false;
    }

    /**
     * Reports that the handler is called, perhaps once more. It reports its end by {@link #returned} or {@link #threw}.
     */
    public void begins() {
        calls();
        underWay = true;
    }

    /** Reports that the handler has ended, and that the result of a stage it returned is known as well. */
    public void returned() {
        underWay = false;
    }

    /**
     * Reports that the handler has thrown this, whatever response is made of it. By {@link HttpPolicy#retryOn} and
     * {@link HttpPolicy#failOn} it says what became of the request.
     */
    public void threw(Throwable failure) {
        thrown = failure;
        underWay = false;
    }

    /**
     * Reports that the handler has returned this stage. The stage is over when the response is made of it; its failure
     * counts as thrown.
     */
    public void returned(CompletionStage<?> stage) {
        returned = stage;
    }

    /**
     * Reports that something before the handler has rejected the request after it was claimed. Nothing was begun,
     * whatever the response is.
     */
    public void refusedBefore() {
        refused = true;
        underWay = false;
    }

    /** Returns the meaning of the response. */
    HandlerResponse of(HandlerResponse response, HttpPolicy policy) {
        if (response.certainty() != HandlerResponse.ExecutionCertainty.ANSWERED) {
            return response;
        }
        if (refused) {
            return HandlerResponse.notBegun(response.status(), response.headers(), response.body());
        }
        StageEnd later = StageEnd.of(returned);
        Throwable failure = thrown == null ? later.failure() : thrown;
        if (underWay && !later.isOver() && response.status() >= LEAST_ERROR) {
            // a time limit around the handler has given up, and the handler goes on
            return HandlerResponse.unknown(response.status(), response.headers(), response.body());
        }
        return failure == null ? response : ResponseClassifier.thrown(failure, response, policy);
    }

    /**
     * The state of a stage at this moment.
     *
     * @param failure null if it has not failed, or not yet
     */
    private record StageEnd(boolean isOver, @Nullable Throwable failure) {
        static StageEnd of(@Nullable CompletionStage<?> stage) {
            AtomicReference<StageEnd> end = new AtomicReference<>(new StageEnd(false, null));
            if (stage != null) {
                // a stage that is over tells it at once
                var unused = stage.whenComplete((value, thrown) -> end.set(new StageEnd(true, unwrapped(thrown))));
            }
            return Objects.requireNonNull(end.get());
        }

        private static @Nullable Throwable unwrapped(@Nullable Throwable thrown) {
            return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        }
    }
}
