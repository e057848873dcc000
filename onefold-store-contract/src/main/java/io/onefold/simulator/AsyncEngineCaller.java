package io.onefold.simulator;

import io.onefold.AsyncWork;
import io.onefold.Key;
import io.onefold.Onefold;
import io.onefold.Operation;
import io.onefold.Outcome;
import java.util.concurrent.CompletionStage;

/** The way into an engine: {@code onefold::attemptAsync}, or that of an engine which is broken on purpose. */
public interface AsyncEngineCaller {
    <T> CompletionStage<Outcome<T>> attempt(Operation<T> operation, Key key, AsyncWork<T> work);

    static AsyncEngineCaller of(Onefold onefold) {
        return onefold::attemptAsync;
    }
}
