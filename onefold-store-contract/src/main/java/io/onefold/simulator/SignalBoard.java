package io.onefold.simulator;

import io.onefold.store.RecordId;
import io.onefold.store.RecordSignals.Subscription;
import java.util.ArrayList;
import java.util.List;

/** The subscriptions of all nodes to the records they wait for. */
final class SignalBoard {
    private record BoardEntry(RecordId id, Runnable wake, VirtualWorld.SimulatedActor node) {}

    private final List<BoardEntry> entries = new ArrayList<>();

    Subscription subscribe(RecordId id, Runnable wake, VirtualWorld.SimulatedActor node) {
        BoardEntry entry = new BoardEntry(id, wake, node);
        entries.add(entry);
        return () -> entries.remove(entry);
    }

    void publish(RecordId id) {
        for (BoardEntry entry : List.copyOf(entries)) {
            if (entry.id.equals(id) && entry.node.alive) {
                entry.wake.run();
            }
        }
    }

    long openOnLivingNodes() {
        return entries.stream().filter(entry -> entry.node.alive).count();
    }
}
