package io.onefold.jdbc.mechanism;

/** The outcome of an update of a {@link FencedRow}. */
public sealed interface FencedUpdate {

    /** The row was updated. */
    record Applied() implements FencedUpdate {}

    /** The same attempt had updated it before. */
    record AlreadyApplied() implements FencedUpdate {}

    /**
     * A later attempt has updated the row. This one must stop: nobody waits for its result any more.
     *
     * @param fence that of the later attempt
     */
    record Overtaken(long fence) implements FencedUpdate {}

    /** There is no such row. */
    record Missing() implements FencedUpdate {}
}
