package io.onefold.spring;

import java.util.Map;

/** The configuration of operations, apart from their annotations. It may be replaced while calls are in progress. */
public final class OperationSettingsRegistry {
    private volatile SettingsState state;

    /**
     * @param all for every operation
     * @param byOperation for operations by their names
     */
    public OperationSettingsRegistry(OperationSettings all, Map<String, OperationSettings> byOperation) {
        this(all, byOperation, LegacySettings.DEFAULT);
    }

    /** @param legacy for methods with the annotation of {@code io.onefold.spring.legacy} */
    public OperationSettingsRegistry(
            OperationSettings all, Map<String, OperationSettings> byOperation, LegacySettings legacy) {
        state = new SettingsState(0, all, Map.copyOf(byOperation), legacy);
    }

    /** Replaces the configuration for calls from now on. */
    public synchronized void replace(OperationSettings all, Map<String, OperationSettings> byOperation) {
        state = new SettingsState(state.version + 1, all, Map.copyOf(byOperation), state.legacy);
    }

    /** Takes over the whole configuration of the others, for calls from now on. */
    public synchronized void replace(OperationSettingsRegistry others) {
        SettingsState other = others.state;
        state = new SettingsState(state.version + 1, other.all, other.byOperation, other.legacy);
    }

    /** A number that grows with every replacement. */
    public int version() {
        return state.version;
    }

    /** The configuration of all operations. */
    public OperationSettings all() {
        return state.all;
    }

    /** The configuration of this operation alone. */
    public OperationSettings alone(String operation) {
        return state.byOperation.getOrDefault(operation, OperationSettings.NONE);
    }

    /** The configuration of this operation, completed by the configuration of all operations. */
    public OperationSettings of(String operation) {
        SettingsState now = state;
        return now.byOperation.getOrDefault(operation, OperationSettings.NONE).over(now.all);
    }

    /** The configuration of methods with the annotation of {@code io.onefold.spring.legacy}. */
    public LegacySettings legacy() {
        return state.legacy;
    }

    private record SettingsState(
            int version, OperationSettings all, Map<String, OperationSettings> byOperation, LegacySettings legacy) {}
}
