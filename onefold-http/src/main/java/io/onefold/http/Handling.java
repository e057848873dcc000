package io.onefold.http;

import io.onefold.Attempt;
import java.util.concurrent.CompletionStage;

/** What lies behind the door: the application, or the service that a gateway stands before. */
@FunctionalInterface
public interface Handling {
    CompletionStage<Produced> handle(Attempt attempt, Body body) throws Exception;
}
