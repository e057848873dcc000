package io.onefold.upkeep;

import io.onefold.upkeep.Reconciler.RecordProbe;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The probes that a round starts: of each operation a bounded number, those that are due for the longest time. */
final class DueProbes {
    private final int most;
    private final Map<String, PriorityQueue<RecordProbe>> operations = new LinkedHashMap<>();

    DueProbes(int most) {
        this.most = most;
    }

    /**
     * Adds a probe.
     *
     * @return the one that has to wait for a next round, if there are too many
     */
    @Nullable
    RecordProbe add(RecordProbe probe) {
        PriorityQueue<RecordProbe> same = operations.computeIfAbsent(
                probe.id.operation(), name -> new PriorityQueue<>(Collections.reverseOrder()));
        same.add(probe);
        return same.size() > most ? same.poll() : null;
    }

    /**
     * Returns the probes that are due. For each operation, those that have been due for the longest time come first.
     */
    List<ProbeRunner.RunningProbe> chosen() {
        List<ProbeRunner.RunningProbe> chosen = new ArrayList<>();
        for (PriorityQueue<RecordProbe> same : operations.values()) {
            List<RecordProbe> sorted = new ArrayList<>(same);
            Collections.sort(sorted);
            chosen.addAll(sorted);
        }
        return chosen;
    }
}
