package io.onefold.jdbc.mechanism;

import org.jspecify.annotations.Nullable;

/** The outcome of a move of a {@link StateMachine}. */
public sealed interface TransitionResult<S extends Enum<S>> {

    /** Returns true if the row has been moved by this cause, now or before. */
    boolean done();

    /** This call moved it. */
    record Moved<S extends Enum<S>>() implements TransitionResult<S> {
        @Override
        public boolean done() {
            return true;
        }
    }

    /**
     * The same cause had moved it before.
     *
     * @param current where the row is now, which may be further on
     */
    record AlreadyMoved<S extends Enum<S>>(S current) implements TransitionResult<S> {
        @Override
        public boolean done() {
            return true;
        }
    }

    /**
     * The row is there by another cause, or in a state from which the move is not allowed.
     *
     * @param current where the row is
     * @param cause what brought it there, where a column is declared for that
     */
    record MoveRejected<S extends Enum<S>>(
            S current, @Nullable String cause) implements TransitionResult<S> {
        @Override
        public boolean done() {
            return false;
        }
    }

    /** There is no such row. */
    record StateRowMissing<S extends Enum<S>>() implements TransitionResult<S> {
        @Override
        public boolean done() {
            return false;
        }
    }
}
