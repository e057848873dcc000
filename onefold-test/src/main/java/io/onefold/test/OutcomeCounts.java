package io.onefold.test;

import io.onefold.OperationEvent;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** The counts of an {@link OutcomeCounter}. A test can read them or assert them. */
public final class OutcomeCounts {
    private final String what;
    private final int executions;
    private final Map<OperationEvent.Kind, Integer> events;
    private final String heard;

    OutcomeCounts(String what, int executions, Map<OperationEvent.Kind, Integer> events, String heard) {
        this.what = what;
        this.executions = executions;
        EnumMap<OperationEvent.Kind, Integer> copy = new EnumMap<>(OperationEvent.Kind.class);
        copy.putAll(events);
        this.events = Collections.unmodifiableMap(copy);
        this.heard = heard;
    }

    /** Returns the number of times that the work ran, whatever its outcome. */
    public int executions() {
        return executions;
    }

    /** Returns the number of duplicates that got the response to the first call: its result, or its failure. */
    public int replays() {
        return count(OperationEvent.Kind.REPLAYED) + count(OperationEvent.Kind.FAILURE_REPLAYED);
    }

    public int count(OperationEvent.Kind kind) {
        return events.getOrDefault(kind, 0);
    }

    public OutcomeCounts ranOnce() {
        return ran(1);
    }

    public OutcomeCounts ran(int times) {
        return expect("ran", times, executions);
    }

    public OutcomeCounts replayed(int times) {
        return expect("replayed", times, replays());
    }

    public OutcomeCounts conflicts(int times) {
        return expect("conflicts", times, count(OperationEvent.Kind.CONFLICT));
    }

    public OutcomeCounts busy(int times) {
        return expect("busy", times, count(OperationEvent.Kind.BUSY));
    }

    public OutcomeCounts unknown(int times) {
        return expect("unknown", times, count(OperationEvent.Kind.UNKNOWN));
    }

    /** Asserts the number of duplicates that waited for an attempt and were told that it has failed. */
    public OutcomeCounts sharedFailures(int times) {
        return expect("shared failures", times, count(OperationEvent.Kind.FAILURE_SHARED));
    }

    public OutcomeCounts refused(int times) {
        return expect("refused", times, count(OperationEvent.Kind.REFUSED));
    }

    private OutcomeCounts expect(String which, int expected, int actual) {
        if (expected != actual) {
            String instead = events.isEmpty() ? "; heard of: " + (heard.isEmpty() ? "nothing" : heard) : "";
            throw new AssertionError(
                    what + ": expected " + which + " " + expected + ", but was " + actual + "\n  " + this + instead);
        }
        return this;
    }

    @Override
    public String toString() {
        return "executions " + executions + ", events " + events;
    }
}
