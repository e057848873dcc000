package io.onefold;

import java.util.concurrent.CompletionStage;

/** What happens once, ending in its own time. */
@FunctionalInterface
public interface AsyncWork<T> {
    CompletionStage<T> start(Attempt attempt) throws Exception;
}
