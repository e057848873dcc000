package io.onefold.http;

import io.onefold.Attempt;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The application behind an adapter, or the service behind a gateway. */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Handles the request, once.
     *
     * @param attempt null if the request is not protected after all
     */
    CompletionStage<HandlerResponse> handle(@Nullable Attempt attempt, BufferedBody body) throws Exception;
}
