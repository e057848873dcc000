package io.onefold.http;

import io.onefold.Attempt;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What lies behind the door: the application, or the service that a gateway stands before. */
@FunctionalInterface
public interface Handling {
    /**
     * Handles the request, once.
     *
     * @param attempt null where the request is not protected after all
     */
    CompletionStage<Produced> handle(@Nullable Attempt attempt, Body body) throws Exception;
}
