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
        this(all, byOperation, LegacySettings.DEFAULT);
    }

    /** @param legacy for methods with the annotation of {@code io.onefold.spring.legacy} */
    public Policies(OperationSettings all, Map<String, OperationSettings> byOperation, LegacySettings legacy) {
        state = new State(0, all, Map.copyOf(byOperation), legacy);
    }

    /** For calls from now on. */
    public synchronized void replace(OperationSettings all, Map<String, OperationSettings> byOperation) {
        state = new State(state.version + 1, all, Map.copyOf(byOperation), state.legacy);
    }

    /** For calls from now on, all that the others say. */
    public synchronized void replace(Policies others) {
        State other = others.state;
        state = new State(state.version + 1, other.all, other.byOperation, other.legacy);
    }

    /** Grows with every replacement. */
    public int version() {
        return state.version;
    }

    /** What is configured for all operations. */
    public OperationSettings all() {
        return state.all;
    }

    /** What is configured for this operation alone. */
    public OperationSettings alone(String operation) {
        return state.byOperation.getOrDefault(operation, OperationSettings.NONE);
    }

    /** What is configured for this operation, over what is for all. */
    public OperationSettings of(String operation) {
        State now = state;
        return now.byOperation.getOrDefault(operation, OperationSettings.NONE).over(now.all);
    }

    /** What is configured for methods with the annotation of {@code io.onefold.spring.legacy}. */
    public LegacySettings legacy() {
        return state.legacy;
    }

    private record State(
            int version, OperationSettings all, Map<String, OperationSettings> byOperation, LegacySettings legacy) {}
}
