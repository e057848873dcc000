package io.onefold.jdbc.mechanism;

/** The outcome of an update of a {@link FencedRow}. */
public sealed interface FencedUpdateResult {

    /** The row was updated. */
    record Applied() implements FencedUpdateResult {}

    /** The same attempt had updated it before. */
    record AlreadyApplied() implements FencedUpdateResult {}

    /**
     * A later attempt has updated the row. This one must stop: nobody waits for its result any more.
     *
     * @param fence that of the later attempt
     */
    record FenceTooLow(long fence) implements FencedUpdateResult {}

    /** There is no such row. */
    record FencedRowMissing() implements FencedUpdateResult {}
}
