package io.onefold.simulator;

import io.onefold.Outcome;
import org.jspecify.annotations.Nullable;

/** One request of a client, and its response. */
final class ClientRequest {
    final ClientOrder order;
    final VirtualWorld.SimulatedActor node;
    final long invokedAt;
    long answeredAt = Long.MAX_VALUE;

    @Nullable
    Outcome<String> outcome;

    @Nullable
    Throwable thrown;

    ClientRequest(ClientOrder order, VirtualWorld.SimulatedActor node, long invokedAt) {
        this.order = order;
        this.node = node;
        this.invokedAt = invokedAt;
    }

    boolean answered() {
        return outcome != null || thrown != null;
    }

    boolean succeeded() {
        return outcome instanceof Outcome.Executed || outcome instanceof Outcome.Replayed;
    }

    boolean definitive() {
        return succeeded() || outcome instanceof Outcome.Failed;
    }

    boolean recorded() {
        return !(outcome instanceof Outcome.Executed<String> executed) || executed.stored();
    }

    /** Returns the definitive response to the client, comparable between responses; null if the value was not kept. */
    @Nullable
    Object told() {
        if (outcome instanceof Outcome.Executed<String> executed) {
            return "value " + executed.value();
        }
        if (outcome instanceof Outcome.Replayed<String> replayed) {
            return replayed.kept() ? "value " + replayed.value() : null;
        }
        return outcome;
    }

    @Override
    public String toString() {
        return order + " at " + invokedAt / 1_000_000 + " ms: " + (outcome == null ? thrown : outcome);
    }
}
