package io.onefold.test;

/**
 * The end of the process that made a call, as far as the call is concerned: nothing is tried again and nothing is
 * cleaned up. A {@link FaultInjectingStore} throws it to the caller on request.
 */
public final class SimulatedCrash extends Error {
    private static final long serialVersionUID = 1;

    SimulatedCrash(CrashPoint point) {
        super("crashed " + point);
    }
}
