package io.onefold;

import java.util.concurrent.CompletionStage;

/** The work of an operation that runs once and completes asynchronously. */
@FunctionalInterface
public interface AsyncWork<T> {
    CompletionStage<T> start(Attempt attempt) throws Exception;
}
