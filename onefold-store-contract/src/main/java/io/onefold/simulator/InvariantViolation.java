package io.onefold.simulator;

/** An invariant that did not hold, in the schedule of this seed. */
public final class InvariantViolation extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Invariant invariant;

    InvariantViolation(Invariant invariant, String what) {
        super(invariant + " (" + invariant.sentence() + "): " + what);
        this.invariant = invariant;
    }

    public Invariant invariant() {
        return invariant;
    }
}
