package io.onefold.spring;

import java.util.Map;

/** What is configured for operations, apart from their annotations. It may be replaced while calls are under way. */
public final class Policies {
    private volatile State state;

    /**
     * @param all for every operation
     * @param byOperation for operations by their names
     */
    public Policies(OperationSettings all, Map<String, OperationSettings> byOperation) {
        state = new State(0, all, Map.copyOf(byOperation));
    }

    /** For calls from now on. */
    public synchronized void replace(OperationSettings all, Map<String, OperationSettings> byOperation) {
        state = new State(state.version + 1, all, Map.copyOf(byOperation));
    }

    /** Grows with every replacement. */
    public int version() {
        return state.version;
    }

    /** What is configured for this operation, over what is for all. */
    public OperationSettings of(String operation) {
        State now = state;
        return now.byOperation.getOrDefault(operation, OperationSettings.NONE).over(now.all);
    }

    private record State(int version, OperationSettings all, Map<String, OperationSettings> byOperation) {}
}
