package io.onefold.test;

import io.onefold.OperationEvent;
import io.onefold.OperationListener;
import io.onefold.store.RecordId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts what became of calls, by operation: {@code Onefold.builder(store).listener(probe)}.
 *
 * <pre>{@code
 * probe.operation("pay").ranOnce().replayed(4);
 * }</pre>
 */
public final class OutcomeCounter implements OperationListener {
    private final Map<String, Map<OperationEvent.Kind, Integer>> events = new TreeMap<>();
    private final Map<String, Integer> executions = new TreeMap<>();
    /** The counted executions whose end may still be recorded: there are two events for each. */
    private final Map<RecordId, Integer> unrecorded = new HashMap<>();

    private final Set<RecordId> takenOver = new HashSet<>();

    @Override
    public synchronized void on(OperationEvent event) {
        events.computeIfAbsent(event.operation(), name -> new EnumMap<>(OperationEvent.Kind.class))
                .merge(event.kind(), 1, Integer::sum);
        if (event.kind() == OperationEvent.Kind.TAKEN_OVER) {
            takenOver.add(event.id());
        }
        if (event.kind() == OperationEvent.Kind.NOT_STORED) {
            unrecorded.merge(event.id(), 1, Integer::sum);
        }
        if (ran(event.kind()) && !toldBefore(event)) {
            executions.merge(event.operation(), 1, Integer::sum);
        }
    }

    private static boolean ran(OperationEvent.Kind kind) {
        return switch (kind) {
            case EXECUTED, NOT_STORED, RELEASED, FAILED, DOUBTED, OVERTAKEN -> true;
            default -> false;
        };
    }

    /**
     * Returns true if the event repeats an execution that was counted when it could not be stored. After a takeover,
     * only the new owner can still report that it has executed.
     */
    private boolean toldBefore(OperationEvent event) {
        boolean late = event.kind() == OperationEvent.Kind.OVERTAKEN
                || (event.kind() == OperationEvent.Kind.EXECUTED && !takenOver.contains(event.id()));
        if (!late || !unrecorded.containsKey(event.id())) {
            return false;
        }
        unrecorded.computeIfPresent(event.id(), (id, count) -> count == 1 ? null : count - 1);
        return true;
    }

    /** Returns the current counts of an operation. */
    public synchronized OutcomeCounts operation(String name) {
        String heard = events.isEmpty() ? "nothing" : String.join(", ", events.keySet());
        return new OutcomeCounts(
                "operation \"" + name + "\"",
                executions.getOrDefault(name, 0),
                events.getOrDefault(name, Map.of()),
                heard);
    }

    /** Returns the current counts of all operations together. */
    public synchronized OutcomeCounts all() {
        Map<OperationEvent.Kind, Integer> sum = new EnumMap<>(OperationEvent.Kind.class);
        events.values().forEach(one -> one.forEach((kind, count) -> sum.merge(kind, count, Integer::sum)));
        int ran = executions.values().stream().mapToInt(Integer::intValue).sum();
        return new OutcomeCounts("all operations", ran, sum, String.join(", ", events.keySet()));
    }

    /** Forgets everything. */
    public synchronized void reset() {
        events.clear();
        executions.clear();
        unrecorded.clear();
        takenOver.clear();
    }
}
